package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"strings"

	"karousosc/testapps/load"
)

var (
	motd     = &app{name: "motd", dir: "motd", requests: motdRequests}
	motd5    = &app{name: "motd-express5", dir: "motd-express5", requests: motdRequests}
	motdTS   = &app{name: "motd-ts", dir: "motd-ts", requests: motdRequests}
	catalog  = &app{name: "catalog", dir: "catalog", requests: catalogRequests}
	accounts = &app{name: "accounts", dir: "gallery", entry: "accounts.js", requests: accountsRequests}
	counters = &app{name: "counters", dir: "gallery", entry: "counters.js", requests: countersRequests}
	pages    = &app{name: "pages", dir: "gallery", entry: "pages.js", requests: pagesRequests}
	figures  = &app{name: "figures", dir: "gallery", entry: "figures.js", requests: figuresRequests}
	lounge   = &app{name: "lounge", dir: "gallery", entry: "lounge.js", requests: loungeRequests}
	lobby    = &app{name: "lobby", dir: "gallery", entry: "lobby/server.mjs", requests: lobbyRequests}
	depot    = &app{name: "depot", dir: "gallery", entry: "depot/server.mjs", requests: depotRequests}
	desk     = &app{name: "desk", dir: "gallery", entry: "desk/server.ts", requests: deskRequests}
	shop     = &app{name: "shop", dir: "gallery", entry: "shop/server.js", requests: shopRequests}
	club     = &app{name: "club", dir: "gallery", entry: "club.js", requests: clubRequests}
	carts    = &app{name: "carts", dir: "gallery", entry: "carts.js", requests: cartsRequests}
	// Each request does a few of the many things that operations.js can.
	operations = &app{name: "operations", dir: "gallery", entry: "operations.js", requests: operationsRequests}
	caches     = &app{name: "caches", dir: "gallery", entry: "caches.js", requests: cachesRequests}
)

var apps = []*app{motd, motd5, motdTS, catalog, accounts, counters, pages, figures, club, carts, caches, lounge, shop, lobby, depot, operations}

// mix draws n requests from the makers.
func mix(seed uint64, n int, makers ...func(r *rand.Rand) request) []request {
	r := rand.New(rand.NewPCG(seed, 0x653265))
	out := make([]request, n)
	for i := range out {
		out[i] = makers[r.IntN(len(makers))](r)
	}
	return out
}

func motdRequests(seed uint64, n int) []request {
	var out []request
	for _, q := range (load.Motd{Requests: n, Writes: 40, Keys: 12, Hidden: 20, Seed: seed}).Build() {
		out = append(out, jsonBody(q.Method, q.Path, q.Body))
	}
	odd := mix(seed, n/8,
		func(r *rand.Rand) request { return jsonBody("POST", "/post", `{"date":5}`) },
		func(r *rand.Rand) request { return jsonBody("POST", "/post", `{"date":`) },
		func(r *rand.Rand) request { return jsonBody("POST", "/getdate", `{"date":"ünïcode 日本 🌍"}`) },
		func(r *rand.Rand) request {
			return jsonBody("POST", "/post", fmt.Sprintf(`{"date":"ünïcode 日本 🌍","message":"\ud83d\ude00 é %d","readable":true}`, r.IntN(100)))
		},
		func(r *rand.Rand) request { return get("/") },
		func(r *rand.Rand) request { return request{method: "HEAD", path: "/post"} },
		func(r *rand.Rand) request { return form("POST", "/getdate", "date=1") },
		func(r *rand.Rand) request {
			return jsonBody("POST", "/post", `{"date":"2020-01-05","message":"`+strings.Repeat("long ", 4000)+`","readable":true}`)
		})
	for i, q := range odd {
		out[(i*8+3)%len(out)] = q
	}
	return out
}

func catalogRequests(seed uint64, n int) []request {
	id := func(r *rand.Rand) string { return fmt.Sprintf("i%d", 1+r.IntN(6)) }
	as := func(q request) request {
		q.headers += "\nX-User: ann"
		return q
	}
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/items") },
		func(r *rand.Rand) request { return get("/items/" + id(r)) },
		func(r *rand.Rand) request { return get("/items/" + id(r) + "/tags") },
		func(r *rand.Rand) request {
			i := id(r)
			return as(jsonBody("POST", "/items", fmt.Sprintf(`{"id":%q,"name":"Name %d","price":%d}`, i, r.IntN(100), r.IntN(50))))
		},
		func(r *rand.Rand) request { return as(form("POST", "/items", "id="+id(r)+"&name=A+%C3%A9+b&price=x")) },
		func(r *rand.Rand) request { return as(jsonBody("POST", "/items", `{"id":5}`)) },
		func(r *rand.Rand) request { return jsonBody("POST", "/items", `{"id":"i9","name":"x"}`) },
		func(r *rand.Rand) request {
			return as(jsonBody("PUT", "/items/"+id(r)+"/price", fmt.Sprintf(`{"price":%d}`, r.IntN(90))))
		},
		func(r *rand.Rand) request {
			return as(jsonBody("POST", "/items/"+id(r)+"/tags", fmt.Sprintf(`{"tag":"t%d"}`, r.IntN(9))))
		},
		func(r *rand.Rand) request { return as(request{method: "POST", path: "/items/" + id(r) + "/reserve"}) },
		func(r *rand.Rand) request { return as(request{method: "POST", path: "/items/" + id(r) + "/reserve"}) },
		func(r *rand.Rand) request { return as(request{method: "DELETE", path: "/items/" + id(r)}) },
		func(r *rand.Rand) request { return get("/boom") },
		func(r *rand.Rand) request { return get("/no/such?a=1&b=2") },
		func(r *rand.Rand) request { return jsonBody("POST", "/items", "{broken") },
	)
}

func accountsRequests(seed uint64, n int) []request {
	id := func(r *rand.Rand) string { return "a" + string(rune('0'+r.IntN(4))) }
	return mix(seed, n,
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/accounts/"+id(r), fmt.Sprintf(`{"owner":"Owner %d"}`, r.IntN(9)))
		},
		func(r *rand.Rand) request { return get("/accounts/" + id(r)) },
		func(r *rand.Rand) request { return get("/accounts") },
		func(r *rand.Rand) request {
			return jsonBody("POST", "/accounts/"+id(r)+"/deposit", fmt.Sprintf(`{"amount":%d}`, 10+r.IntN(90)))
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", "/accounts/"+id(r)+"/deposit", fmt.Sprintf(`{"amount":%d.5}`, r.IntN(90)))
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", "/transfer", fmt.Sprintf(`{"from":%q,"to":%q,"amount":%d}`, id(r), id(r), r.IntN(60)))
		},
		func(r *rand.Rand) request {
			return jsonBody("PATCH", "/accounts/"+id(r)+"/owner", fmt.Sprintf(`{"name":"New %d","forget":%t}`, r.IntN(9), r.IntN(3) == 0))
		},
		func(r *rand.Rand) request { return request{method: "DELETE", path: "/accounts/" + id(r)} },
	)
}

func countersRequests(seed uint64, n int) []request {
	name := func(r *rand.Rand) string { return fmt.Sprintf("m%d", r.IntN(5)) }
	key := func(r *rand.Rand) string { return []string{"theme", "limits", "k1", "k2", "toString"}[r.IntN(5)] }
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/") },
		func(r *rand.Rand) request { return get("/visits") },
		func(r *rand.Rand) request { return form("POST", "/members", "name="+name(r)) },
		func(r *rand.Rand) request { return jsonBody("POST", "/members", `{"name":"`+name(r)+`"}`) },
		func(r *rand.Rand) request { return request{method: "DELETE", path: "/members/" + name(r)} },
		func(r *rand.Rand) request { return get("/members") },
		func(r *rand.Rand) request { return form("POST", "/log", fmt.Sprintf("text=entry+%d", r.IntN(1000))) },
		func(r *rand.Rand) request { return form("POST", "/log", fmt.Sprintf("text=entry+%d", r.IntN(1000))) },
		func(r *rand.Rand) request { return get("/log") },
		func(r *rand.Rand) request { return get(fmt.Sprintf("/log/last?n=%d", 1+r.IntN(4))) },
		func(r *rand.Rand) request {
			if r.IntN(3) > 0 {
				return get("/log/last")
			}
			return request{method: "DELETE", path: "/log"}
		},
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/settings/"+key(r), []string{`{"value":1}`, `{"value":{"size":3}}`, `{"value":[1,"two"]}`, `{"value":null}`, `{}`}[r.IntN(5)])
		},
		func(r *rand.Rand) request { return request{method: "DELETE", path: "/settings/" + key(r)} },
		func(r *rand.Rand) request { return get("/settings") },
	)
}

func pagesRequests(seed uint64, n int) []request {
	name := func(r *rand.Rand) string { return []string{"home", "about", "Überblick", "空"}[r.IntN(4)] }
	fixed := func(q request) func(*rand.Rand) request { return func(*rand.Rand) request { return q } }
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/pages/" + url.PathEscape(name(r))) },
		func(r *rand.Rand) request { return get("/pages/" + url.PathEscape(name(r))) },
		func(r *rand.Rand) request { return request{method: "HEAD", path: "/pages/" + url.PathEscape(name(r))} },
		func(r *rand.Rand) request {
			return request{method: "GET", path: "/pages/home", headers: `If-None-Match: W/"2c-` + strings.Repeat("x", 27) + `"`}
		},
		func(r *rand.Rand) request {
			return form("POST", "/pages", url.Values{"name": {name(r)}, "text": {fmt.Sprintf("Seite %d – ß", r.IntN(50))}}.Encode())
		},
		fixed(get("/old/home")), fixed(get("/nothing")), fixed(get("/teapot")), fixed(get("/throws")), fixed(get("/rejects")), fixed(get("/null")),
		func(r *rand.Rand) request {
			return get(fmt.Sprintf("/status/%d", []int{400, 403, 410, 451, 500, 503, 999}[r.IntN(7)]))
		},
		func(r *rand.Rand) request {
			return request{method: []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}[r.IntN(6)], path: "/methods?a=" + fmt.Sprint(r.IntN(5)), headers: "X-Thing: thing"}
		},
		func(r *rand.Rand) request {
			return request{method: "GET", path: "/formats", headers: "Accept: " + []string{"text/plain", "text/html", "application/json", "image/png", "*/*"}[r.IntN(5)]}
		},
		fixed(get("/pieces")),
		fixed(request{method: "GET", path: "/cookie", headers: "Cookie: a=1; seen=yes"}),
		func(r *rand.Rand) request {
			return get(fmt.Sprintf("/query?a=%d&b[]=1&b[]=2&c[d]=x%%20y&a=z", r.IntN(10)))
		},
		fixed(get("/chance")), fixed(get("/chance")),
		func(r *rand.Rand) request {
			return jsonBody("POST", "/echo", fmt.Sprintf(`{"n":%d,"x":[1,2.5,null,{"é":"😀"}]}`, r.IntN(10)))
		},
		fixed(jsonBody("POST", "/echo", `{"n":`)),
		fixed(form("POST", "/echo", "a=1&b=%zz&c=+x")),
		func(r *rand.Rand) request {
			return request{method: "POST", path: "/raw", headers: "Content-Type: application/octet-stream", body: strings.Repeat("\x00\xff\x80raw", 1+r.IntN(200))}
		},
		fixed(request{method: "POST", path: "/raw", headers: "Content-Type: application/octet-stream", body: strings.Repeat("\x01binary\xfe", 12_000)}),
		fixed(request{method: "POST", path: "/raw/back", headers: "Content-Type: application/octet-stream", body: "\xff\xfe\x00back"}),
		fixed(request{method: "POST", path: "/text", headers: "Content-Type: text/plain; charset=utf-8", body: "text — ü"}),
		fixed(request{method: "POST", path: "/text", headers: "Content-Type: text/plain; charset=utf-8", body: strings.Repeat("more than one chunk of it, ", 5_000), chunks: 7}),
		func(r *rand.Rand) request {
			return get(fmt.Sprintf("/big?n=%d", []int{10, 65_540, 200_000}[r.IntN(3)]))
		},
		func(r *rand.Rand) request {
			return request{method: "POST", path: "/listen", headers: "Content-Type: text/x-other", body: strings.Repeat("part ", []int{1, 100, 20_000}[r.IntN(3)]), chunks: r.IntN(4)}
		},
		fixed(get("/admin")),
		fixed(request{method: "GET", path: "/admin", headers: "Authorization: secret"}),
		func(r *rand.Rand) request {
			return request{method: "GET", path: fmt.Sprintf("/admin/%d/tab%%20%d", r.IntN(5), r.IntN(5)), headers: "Authorization: secret"}
		},
		fixed(get("/pages/%FF")), fixed(get("/nowhere?x=<b>")),
	)
}

func figuresRequests(seed uint64, n int) []request {
	return mix(seed, n,
		func(r *rand.Rand) request { return get(fmt.Sprintf("/set?x=%d", r.IntN(50))) },
		func(r *rand.Rand) request { return get("/difference") },
		func(r *rand.Rand) request { return get("/left") },
		func(r *rand.Rand) request { return get("/right") },
		func(r *rand.Rand) request { return get(fmt.Sprintf("/flag?on=%d", r.IntN(2))) },
		func(r *rand.Rand) request { return get("/flag") },
	)
}

func clubRequests(seed uint64, n int) []request {
	name := func(r *rand.Rand) string { return string(rune('a' + r.IntN(5))) }
	session := func(r *rand.Rand) string { return fmt.Sprintf("/me/s%d", 1+r.IntN(8)) }
	return mix(seed, n,
		func(r *rand.Rand) request { return jsonBody("POST", "/login", fmt.Sprintf(`{"user":%q}`, name(r))) },
		func(r *rand.Rand) request { return get(session(r)) },
		func(r *rand.Rand) request { return get(session(r)) },
		func(r *rand.Rand) request { return request{method: "DELETE", path: session(r)} },
		func(r *rand.Rand) request { return get("/visit") },
		func(r *rand.Rand) request { return get(fmt.Sprintf("/work/double/%d?client=%s", r.IntN(9), name(r))) },
		func(r *rand.Rand) request { return get(fmt.Sprintf("/work/square/%d?client=%s", r.IntN(9), name(r))) },
		func(r *rand.Rand) request { return get("/work/none/1?client=" + name(r)) },
		func(r *rand.Rand) request {
			return jsonBody("POST", "/score", fmt.Sprintf(`{"name":%q,"score":%d}`, name(r), r.IntN(20)))
		},
	)
}

func cartsRequests(seed uint64, n int) []request {
	cart := func(r *rand.Rand) string { return "/carts/" + string(rune('a'+r.IntN(4))) }
	item := func(r *rand.Rand) request {
		sku := []string{"apple", "pear", "plum", "card"}[r.IntN(4)]
		return jsonBody("POST", cart(r)+"/items", fmt.Sprintf(`{"sku":%q,"cents":%d}`, sku, map[bool]int{true: 0, false: 100 + r.IntN(900)}[sku == "card"]))
	}
	return mix(seed, n,
		item, item, item, item,
		func(r *rand.Rand) request {
			return jsonBody("POST", cart(r)+"/coupon", fmt.Sprintf(`{"code":"C%d"}`, r.IntN(3)))
		},
		func(r *rand.Rand) request {
			return jsonBody("PUT", cart(r)+"/note", fmt.Sprintf(`{"note":"note %d"}`, r.IntN(30)))
		},
		func(r *rand.Rand) request {
			return request{method: "POST", path: cart(r) + "/merge/" + string(rune('a'+r.IntN(4)))}
		},
		func(r *rand.Rand) request { return request{method: "POST", path: cart(r) + "/checkout"} },
		func(r *rand.Rand) request { return get(cart(r)) },
		func(r *rand.Rand) request { return get(cart(r)) },
		func(r *rand.Rand) request { return get(fmt.Sprintf("/receipts/%d", 1+r.IntN(5))) },
		func(r *rand.Rand) request { return get("/problem") },
	)
}

func cachesRequests(seed uint64, n int) []request {
	name := func(r *rand.Rand) string { return string(rune('a' + r.IntN(8))) }
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/cache/" + name(r)) },
		func(r *rand.Rand) request { return get("/cache/" + name(r)) },
		func(r *rand.Rand) request { return get("/cache") },
		func(r *rand.Rand) request { return jsonBody("POST", "/sessions", fmt.Sprintf(`{"user":%q}`, name(r))) },
		func(r *rand.Rand) request { return get("/sessions/" + name(r)) },
		func(r *rand.Rand) request { return get("/limited/" + name(r)) },
		func(r *rand.Rand) request {
			return jsonBody("POST", "/board", fmt.Sprintf(`{"name":%q,"points":%d}`, name(r), r.IntN(40)))
		},
		func(r *rand.Rand) request { return get("/board") },
	)
}

func loungeRequests(seed uint64, n int) []request {
	name := func(r *rand.Rand) string { return string(rune('a' + r.IntN(5))) }
	room := func(r *rand.Rand) string { return "/rooms/" + []string{"hall", "bar", "attic"}[r.IntN(3)] }
	from := func(r *rand.Rand, q request) request {
		q.headers += "\nX-Client: " + name(r)
		return q
	}
	return mix(seed, n,
		func(r *rand.Rand) request {
			return from(r, jsonBody("POST", room(r), fmt.Sprintf(`{"who":%q,"text":"t%d"}`, name(r), r.IntN(99))))
		},
		func(r *rand.Rand) request { return from(r, get(fmt.Sprintf("%s/since/%d", room(r), r.IntN(12)))) },
		func(r *rand.Rand) request { return from(r, get("/visit")) },
		func(r *rand.Rand) request { return from(r, get("/visit")) },
		func(r *rand.Rand) request { return from(r, request{method: "DELETE", path: "/visit"}) },
		func(r *rand.Rand) request {
			return from(r, jsonBody("PUT", "/flags", fmt.Sprintf(`{"dark":%t,"n":%d}`, r.IntN(2) == 0, r.IntN(9))))
		},
		func(r *rand.Rand) request { return from(r, get("/flags/dark")) },
		func(r *rand.Rand) request {
			return from(r, jsonBody("POST", "/score", fmt.Sprintf(`{"name":%q,"score":%d}`, name(r), r.IntN(20))))
		},
		func(r *rand.Rand) request { return from(r, get(fmt.Sprintf("/sum/%d", r.IntN(5)))) },
		func(r *rand.Rand) request { return from(r, get("/ticket")) },
		func(r *rand.Rand) request { return get("/") },
	)
}

func shopRequests(seed uint64, n int) []request {
	product := func(r *rand.Rand) string { return fmt.Sprintf("p%d", 1+r.IntN(4)) }
	cart := func(r *rand.Rand) string { return fmt.Sprintf("/carts/c%d", 1+r.IntN(6)) }
	return mix(seed, n,
		func(r *rand.Rand) request {
			return jsonBody("POST", "/carts", fmt.Sprintf(`{"owner":"o%d"}`, r.IntN(9)))
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", cart(r)+"/lines", fmt.Sprintf(`{"product":%q,"count":%d}`, product(r), 1+r.IntN(3)))
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", cart(r)+"/lines", fmt.Sprintf(`{"product":%q,"count":%d}`, product(r), 1+r.IntN(3)))
		},
		func(r *rand.Rand) request { return request{method: "DELETE", path: cart(r)} },
		func(r *rand.Rand) request { return get("/products") },
		func(r *rand.Rand) request { return get("/products/" + product(r)) },
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/products/"+product(r)+"/price", fmt.Sprintf(`{"price":%d}`, r.IntN(50)))
		},
		func(r *rand.Rand) request { return get("/metrics") },
	)
}

func operationsRequests(seed uint64, n int) []request {
	text, err := os.ReadFile("../gallery/operations.js")
	if err != nil {
		panic(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^  (\w+): \(`).FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return mix(seed, n, func(r *rand.Rand) request {
		// Many requests do one thing, so that there are wide groups.
		path := "/" + names[r.IntN(len(names))]
		for r.IntN(3) == 0 {
			path += "," + names[r.IntN(len(names))]
		}
		return get(fmt.Sprintf("%s?n=%d", path, r.IntN(40)))
	})
}

func lobbyRequests(seed uint64, n int) []request {
	name := func(r *rand.Rand) string { return string(rune('a' + r.IntN(5))) }
	return mix(seed, n,
		func(r *rand.Rand) request { return jsonBody("POST", "/guests", fmt.Sprintf(`{"name":%q}`, name(r))) },
		func(r *rand.Rand) request { return jsonBody("POST", "/guests", fmt.Sprintf(`{"name":%q}`, name(r))) },
		func(r *rand.Rand) request { return request{method: "DELETE", path: "/guests"} },
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/settings", fmt.Sprintf(`{"limit":%d}`, 2+r.IntN(6)))
		},
	)
}

func depotRequests(seed uint64, n int) []request {
	id := func(r *rand.Rand) string { return string(rune('a' + r.IntN(4))) }
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/") },
		func(r *rand.Rand) request { return get([]string{"/first", "/second"}[r.IntN(2)]) },
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/goods/"+id(r), fmt.Sprintf(`{"amount":%d}`, r.IntN(12)))
		},
		func(r *rand.Rand) request { return get("/goods/" + id(r)) },
		func(r *rand.Rand) request { return request{method: "POST", path: "/orders/" + id(r)} },
	)
}

func deskRequests(seed uint64, n int) []request {
	return mix(seed, n,
		func(r *rand.Rand) request {
			return jsonBody("POST", "/tickets", fmt.Sprintf(`{"title":"t%d"}`, r.IntN(9)))
		},
		func(r *rand.Rand) request {
			return request{method: "POST", path: fmt.Sprintf("/tickets/%d/close", 1+r.IntN(9))}
		},
		func(r *rand.Rand) request {
			return request{method: "POST", path: fmt.Sprintf("/tickets/%d/close", 1+r.IntN(9))}
		},
		func(r *rand.Rand) request { return get("/tickets") },
	)
}
