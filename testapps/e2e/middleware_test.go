package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice/record"
)

// Apps on middleware as it comes from npm, and of every make of module.
var (
	web    = &app{name: "web", dir: "middleware", entry: "web.js", requests: webRequests}
	logged = &app{name: "logged", dir: "middleware", entry: "logged.js", requests: loggedRequests}
	forms  = &app{name: "forms", dir: "middleware", entry: "forms.js", requests: formsRequests}
	plain  = &app{name: "plain", dir: "middleware", entry: "plain.js", requests: plainRequests}
	// Packages that keep what requests share.
	sessions = &app{name: "session", dir: "middleware", entry: "session.js", requests: sessionRequests}
	keepers  = &app{name: "keepers", dir: "middleware", entry: "keepers.js", requests: keeperRequests}
	viewsEJS = &app{name: "ejs", dir: "middleware", entry: "views-ejs.js", requests: viewRequests}
	viewsPug = &app{name: "pug", dir: "middleware", entry: "views-pug.js", requests: viewRequests}
	served   = &app{name: "served", dir: "middleware", entry: "served.js", requests: servedRequests}
	koa      = &app{name: "koa", dir: "koa", requests: koaRequests}
	hono     = &app{name: "hono", dir: "hono", requests: honoRequests}
	esm      = &app{name: "esm", dir: "esm", requests: esmRequests}
	tsPaths  = &app{name: "ts-paths", dir: "ts-paths", requests: taskRequests}
)

// TestMiddleware: honest runs, alone and raced, are accepted, and rejected with one
// byte changed; and the server build answers what the app answers.
func TestMiddleware(t *testing.T) {
	for _, a := range []*app{web, logged, forms, plain, served, sessions, keepers, koa, hono, esm, tsPaths, viewsEJS, viewsPug} {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			for _, connections := range []int{1, 30} {
				for seed := range uint64(*seeds) {
					t.Run(fmt.Sprintf("connections=%d,seed=%d", connections, seed), func(t *testing.T) {
						a.honest(t, connections, a.requests(seed+uint64(connections), 120))
					})
				}
			}
			if a == tsPaths {
				return // Node.js cannot run it by itself
			}
			t.Run("like the app", func(t *testing.T) {
				entry := a.entry
				if entry == "" {
					entry = "server.js"
				}
				var same []request
				for _, q := range a.requests(7, 120) {
					if !byChance(q) {
						same = append(same, q)
					}
				}
				a.answersLikePlain(t, entry, same)
			})
		})
	}
}

// TestDeepTemplates: what a template takes from arrays deep in shared state is re-executed, all requests together.
func TestDeepTemplates(t *testing.T) {
	t.Parallel()
	a := &app{name: "deep", dir: "middleware", entry: "views-deep.js", requests: func(seed uint64, n int) []request {
		return mix(seed, n,
			func(r *rand.Rand) request { return get("/") },
			func(r *rand.Rand) request {
				return form("POST", "/", fmt.Sprintf("name=n%d&text=one+two+%d", r.IntN(9), r.IntN(9)))
			})
	}}
	r := a.record(t, 10, a.requests(1, 40))
	if v := mustAccept(t, r.Evidence); v.Together == "" {
		t.Error("requests were audited in groups")
	}
	liesAboutAnswers(t, r.Evidence)
}

// TestBackpressureAttacks: when the platform wanted no more of a response, and when it
// did again, is the server's word; that the program heard of it is not.
func TestBackpressureAttacks(t *testing.T) {
	change := func(f func(l *forge.Life, r *forge.Record)) func(t *testing.T, e *forge.Evidence) {
		return func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			for _, r := range l.Of(1, record.Recorded) {
				if r.Name == "full" {
					f(l, r)
					return
				}
			}
			t.Fatal("the platform always wanted more")
		}
	}
	oneByOne(logged, get("/patient")).attack(t,
		attack{"a write that is no longer too much", "R-leftover R-turn", change(func(l *forge.Life, r *forge.Record) {
			l.Drop(r)
			l.Tidy()
		})},
		attack{"a write that the program never makes", "R-leftover R-turn", change(func(_ *forge.Life, r *forge.Record) { r.Value = record.Number(99) })},
		attack{"a write that is too much twice over", "R-leftover", change(func(l *forge.Life, r *forge.Record) { l.InsertAfter(r, r.Record) })},
		attack{"no number of a write", "R-leftover R-turn", change(func(_ *forge.Life, r *forge.Record) { r.Value = record.Text("__proto__") })},
	)
}

// TestClientLeaves: a client that leaves before it is answered changes what the program does.
func TestClientLeaves(t *testing.T) {
	e := scenario.In(logged.build(t), t.TempDir())
	w := &world{t: t, e: e}
	w.serve()
	w.collect()
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		drive(ctx, w.addr, 1, []request{get("/late")})
		cancel()
		if _, err := drive(t.Context(), w.addr, 1, []request{get("/sent")}); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(200 * time.Millisecond)
	w.stop()
	mustAccept(t, e)
}

// TestSlowBodies: when a body comes, among what else a request waits for, is up to its client. Groups give it at once;
// where that makes a difference, they are not what judges.
func TestSlowBodies(t *testing.T) {
	var requests []request
	for _, kind := range []string{"", "?text", "?late"} {
		for _, size := range []int{1, 100, 70_000, 150_000} {
			for _, chunks := range []int{0, 1, 3} {
				requests = append(requests, request{method: "POST", path: "/slowly" + kind, headers: "Content-Type: text/plain", body: strings.Repeat("ä", size/2) + "x", chunks: chunks})
			}
		}
	}
	for _, connections := range []int{1, 30} {
		t.Run(fmt.Sprint("connections=", connections), func(t *testing.T) {
			if v := plain.honest(t, connections, slices.Repeat(requests, 2)); v.Together != "" {
				t.Errorf("groups would have done, but: %s", v.Together)
			}
		})
	}
	t.Run("at once", func(t *testing.T) {
		at := slices.DeleteFunc(slices.Clone(requests), func(q request) bool { return q.chunks > 0 || len(q.body) > 1000 })
		if v := plain.honest(t, 1, at); v.Together != "" {
			t.Errorf("groups would have done, but: %s", v.Together)
		}
	})
}

// byChance tells whether an app answers with something random or the time.
func byChance(q request) bool {
	return q.path == "/orders" && q.method == "POST" || q.path == "/token" || q.path == "/id" || q.path == "/login"
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func with(q request, headers ...string) request {
	q.headers = strings.TrimPrefix(q.headers+"\n"+strings.Join(headers, "\n"), "\n")
	return q
}

func webRequests(seed uint64, n int) []request {
	id := func(r *rand.Rand) string { return fmt.Sprintf("n%d", r.IntN(5)) }
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/countries?q=" + pick(r, "", "e", "land", "%C3%B4te", "zz")) },
		func(r *rand.Rand) request { return with(get("/notes"), "Accept-Encoding: gzip, deflate") },
		func(r *rand.Rand) request { return get("/notes/" + id(r)) },
		func(r *rand.Rand) request {
			return with(request{method: "PUT", path: "/notes/" + id(r), body: strings.Repeat("text "+id(r)+" ", 1+r.IntN(60))}, "Content-Type: text/plain", "Cookie: user=ann%20b; x=1")
		},
		func(r *rand.Rand) request {
			return with(jsonBody("PUT", "/notes/"+id(r), fmt.Sprintf(`{"n":%d}`, r.IntN(100))), "Origin: https://a.example.com")
		},
		func(r *rand.Rand) request { return jsonBody("PUT", "/notes/"+id(r), `{"n":`) },
		func(r *rand.Rand) request {
			return with(form("POST", "/login", "user="+pick(r, "ann", "bob")), "Cookie: token=s%3At-ann.dW5rbm93bg")
		},
		func(r *rand.Rand) request {
			return with(request{method: "OPTIONS", path: "/notes/" + id(r)}, "Origin: "+pick(r, "http://localhost", "https://evil.test"), "Access-Control-Request-Method: PUT", "Access-Control-Request-Headers: content-type")
		},
		func(r *rand.Rand) request {
			return get(pick(r, "/", "/index", "/static/", "/static", "/nowhere.txt", "/../x"))
		},
		func(r *rand.Rand) request {
			return with(get("/static/css/site.css"), "Accept-Encoding: "+pick(r, "gzip", "identity"))
		},
		func(r *rand.Rand) request {
			return with(get(pick(r, "/long.txt", "/static/long.txt")), "Accept-Encoding: "+pick(r, "gzip", "deflate", "identity"))
		},
		func(r *rand.Rand) request {
			return with(get("/static/long.txt"), "Range: bytes="+pick(r, "0-99", "500-", "-20", "99999-"))
		},
		func(r *rand.Rand) request { return request{method: "HEAD", path: "/static/long.txt"} },
		func(r *rand.Rand) request {
			return with(get("/index.html"), "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT")
		},
		func(r *rand.Rand) request { return get("/file") },
		func(r *rand.Rand) request { return get("/download") },
		func(r *rand.Rand) request {
			return with(get("/long?of="+url.QueryEscape(pick(r, "a", "bee", "<c>"))), "Accept-Encoding: "+pick(r, "gzip", "br", "identity"))
		},
	)
}

func loggedRequests(seed uint64, n int) []request {
	gzip := func(r *rand.Rand, path string) request {
		return with(get(path), "Accept-Encoding: "+pick(r, "gzip", "deflate", "identity"))
	}
	return mix(seed, n,
		func(r *rand.Rand) request {
			return gzip(r, pick(r, "/static/long.txt", "/static/css/site.css", "/static/", "/static/nothing"))
		},
		func(r *rand.Rand) request {
			return with(get("/static/long.txt"), "Range: bytes="+pick(r, "0-99", "500-", "-20", "99999-"))
		},
		func(r *rand.Rand) request {
			return with(get("/static/long.txt"), "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT")
		},
		func(r *rand.Rand) request {
			return request{method: "HEAD", path: pick(r, "/static/long.txt", "/pipe", "/upper")}
		},
		func(r *rand.Rand) request { return gzip(r, pick(r, "/file", "/download", "/missing")) },
		func(r *rand.Rand) request { return gzip(r, pick(r, "/pipe", "/halves", "/pipeline", "/upper")) },
		func(r *rand.Rand) request { return gzip(r, "/from?of="+pick(r, "three", "many")) },
		func(r *rand.Rand) request {
			return request{method: "POST", path: "/back", headers: "Content-Type: text/plain", body: strings.Repeat(pick(r, "a", "bc"), 1+r.IntN(50000)), chunks: r.IntN(4)}
		},
		func(r *rand.Rand) request { return gzip(r, pick(r, "/patient", "/eager")) },
		func(r *rand.Rand) request { return get("/sent") },
	)
}

func formsRequests(seed uint64, n int) []request {
	upload := func(parts ...string) request {
		var b strings.Builder
		for i := 0; i < len(parts); i += 2 {
			b.WriteString("--XX\r\nContent-Disposition: form-data; " + parts[i] + "\r\n\r\n" + parts[i+1] + "\r\n")
		}
		return request{method: "POST", path: "/upload", headers: "Content-Type: multipart/form-data; boundary=XX", body: b.String() + "--XX--\r\n"}
	}
	return mix(seed, n,
		func(r *rand.Rand) request {
			return jsonBody("POST", "/orders", fmt.Sprintf(`{"item":"item %d","count":%d,"to":"a%d@b.example"}`, r.IntN(9), 1+r.IntN(5), r.IntN(9)))
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", "/orders", fmt.Sprintf(`{"item":"thing","tags":["x","y%d"],"to":{"street":"s","zip":"%05d"}}`, r.IntN(9), r.IntN(99999)))
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", "/orders", pick(r, `{}`, `{"item":"x","to":5}`, `{"item":7,"count":-1,"to":"nobody"}`, `[1]`))
		},
		func(r *rand.Rand) request { return get("/orders") },
		func(r *rand.Rand) request {
			return jsonBody("POST", "/people/"+pick(r, "1", "22", "x")+pick(r, "", "?lang=en", "?lang=fr"),
				pick(r, `{"email":"Ann.B+x@GMail.com","name":"  Ann <b> "}`, `{"email":"no","name":"A"}`, `{"email":"c@d.example","name":"Cee","age":"41"}`))
		},
		func(r *rand.Rand) request {
			return upload(`name="title"`, "a title "+pick(r, "x", "yy"), `name="doc"; filename="d.txt"`, strings.Repeat("doc", 1+r.IntN(50)))
		},
		func(r *rand.Rand) request {
			return upload(`name="doc"; filename="big.txt"`, strings.Repeat("0123456789", 500))
		},
		func(r *rand.Rand) request { return upload(`name="other"; filename="x"`, "x") },
		func(r *rand.Rand) request {
			return upload(`name="pic"; filename="ü.png"`+"\r\nContent-Type: image/png", "\x89PNG\r\n\x1a\n\x00\xff", `name="a[b]"`, "1", `name="a[b]"`, "2")
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", "/token", `{"user":"u`+pick(r, "1", "2")+`","role":"admin"}`)
		},
		func(r *rand.Rand) request {
			return jsonBody("POST", "/fixed", `{"user":"u`+pick(r, "1", "2", "33")+`"}`)
		},
		func(r *rand.Rand) request {
			return with(get("/me"), "Authorization: Bearer "+pick(r,
				"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1MSIsImlhdCI6MTcwMDAwMDAwMH0.bm90IHRoZSBzaWduYXR1cmU",
				"nonsense", signedToken))
		},
		func(r *rand.Rand) request { return get("/me") },
	)
}

// signedToken is what POST /fixed answers to user u1.
const signedToken = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1MSJ9.RLUsTYthhsxS2SLRE1O9SBINdXH8dTMWrZHlPxcUEjw"

func plainRequests(seed uint64, n int) []request {
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/") },
		func(r *rand.Rand) request { return get("/?x=" + pick(r, "1", "22")) },
		func(r *rand.Rand) request { return request{method: "HEAD", path: "/"} },
		func(r *rand.Rand) request { return form("POST", "/count", fmt.Sprintf("by=%d", r.IntN(9))) },
		func(r *rand.Rand) request { return form("POST", "/count", pick(r, "", "by=x")) },
		func(r *rand.Rand) request {
			return request{method: "POST", path: "/echo", headers: "Content-Type: text/plain", body: strings.Repeat(pick(r, "a", "bc"), 1+r.IntN(300))}
		},
		func(r *rand.Rand) request { return get(pick(r, "/empty", "/cached", "/nowhere")) },
	)
}

func keeperRequests(seed uint64, n int) []request {
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/id") },
		func(r *rand.Rand) request { return request{method: "POST", path: "/alone"} },
	)
}

func sessionRequests(seed uint64, n int) []request {
	return mix(seed, n,
		func(r *rand.Rand) request { return form("POST", "/login", "name="+pick(r, "ann", "bob")) },
		func(r *rand.Rand) request { return get("/") },
		func(r *rand.Rand) request { return request{method: "POST", path: "/logout"} },
	)
}

func viewRequests(seed uint64, n int) []request {
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/") },
		func(r *rand.Rand) request { return get("/?user=" + pick(r, "ann", "%3Cb%3E")) },
		func(r *rand.Rand) request {
			return form("POST", "/", "name="+pick(r, "Ann", "Bartholomew", "%26")+"&text=text+"+pick(r, "1", "2", "%3Ci%3E"))
		},
		func(r *rand.Rand) request { return get(pick(r, "/about", "/missing", "/broken")) },
	)
}

func honoRequests(seed uint64, n int) []request {
	id := func(r *rand.Rand) string { return fmt.Sprint(1 + r.IntN(9)) }
	return mix(seed, n,
		func(r *rand.Rand) request {
			return get(pick(r, "/notes", "/visits", "/home", "/fails", "/made", "/nowhere", "/lines", "/events", "/broken"))
		},
		func(r *rand.Rand) request {
			return request{method: "POST", path: "/upper", headers: "Content-Type: text/plain", body: "text é " + id(r)}
		},
		func(r *rand.Rand) request {
			part := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\ntext " + id(r) + "\r\n--b--\r\n"
			return request{method: "POST", path: "/upload", headers: "Content-Type: multipart/form-data; boundary=b", body: part}
		},
		func(r *rand.Rand) request { return jsonBody("POST", "/notes", `{"text":"text `+id(r)+`"}`) },
		func(r *rand.Rand) request { return get("/notes/" + id(r)) },
		func(r *rand.Rand) request { return request{method: "DELETE", path: "/notes/" + id(r)} },
		func(r *rand.Rand) request { return form("POST", "/form", "name=ann+"+id(r)) },
	)
}

func koaRequests(seed uint64, n int) []request {
	id := func(r *rand.Rand) string { return fmt.Sprintf("k%d", r.IntN(5)) }
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/notes") },
		func(r *rand.Rand) request { return get("/notes/" + id(r)) },
		func(r *rand.Rand) request { return with(get("/notes/"+id(r)), `If-None-Match: "`+id(r)+`-1"`) },
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/notes/"+id(r), fmt.Sprintf(`{"text":"text %d – é"}`, r.IntN(50)))
		},
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/notes/"+id(r), pick(r, `{"text":1}`, `{"text":`, `[]`))
		},
		func(r *rand.Rand) request { return form("PUT", "/notes/"+id(r), "text=from+a+form") },
		func(r *rand.Rand) request { return request{method: "DELETE", path: "/notes/" + id(r)} },
		func(r *rand.Rand) request { return get("/text?name=" + pick(r, "ann", "bob")) },
		func(r *rand.Rand) request { return get(pick(r, "/html", "/buffer", "/old", "/boom", "/nowhere")) },
		func(r *rand.Rand) request { return request{method: pick(r, "HEAD", "PATCH", "OPTIONS"), path: "/text"} },
		func(r *rand.Rand) request {
			return with(get("/cookie"), "Cookie: seen="+pick(r, "1; seen.sig=wrong", "2"))
		},
	)
}

func esmRequests(seed uint64, n int) []request {
	return mix(seed, n,
		func(r *rand.Rand) request { return get("/?name=" + pick(r, "ann", "bob")) },
		func(r *rand.Rand) request { return get("/kinds") },
		func(r *rand.Rand) request { return get("/strict/" + pick(r, "one", "two", "three")) },
		func(r *rand.Rand) request { return get("/more/" + pick(r, "shapes", "nothing")) },
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/shapes/"+pick(r, "a", "b", "c"), fmt.Sprintf(`{"kind":%q,"size":%d}`, pick(r, "square", "circle"), 1+r.IntN(9)))
		},
		func(r *rand.Rand) request { return jsonBody("PUT", "/shapes/d", `{}`) },
		func(r *rand.Rand) request { return get("/shapes") },
	)
}

func servedRequests(seed uint64, n int) []request {
	fixed := func(q request) func(*rand.Rand) request { return func(*rand.Rand) request { return q } }
	return mix(seed, n,
		fixed(get("/files/")), fixed(get("/lib/index.js")), fixed(get("/lib/nothing.js")), fixed(get("/scripts/package.json")), fixed(get("/main")),
		func(r *rand.Rand) request {
			return request{method: "GET", path: "/fail/" + pick(r, "a", "b"), headers: "Accept: " + pick(r, "text/html", "application/json", "text/plain")}
		},
	)
}

func taskRequests(seed uint64, n int) []request {
	id := func(r *rand.Rand) string { return fmt.Sprintf("t%d", r.IntN(5)) }
	return mix(seed, n,
		func(r *rand.Rand) request {
			return jsonBody("PUT", "/tasks/"+id(r), fmt.Sprintf(`{"title":"do %d","level":%q}`, r.IntN(9), pick(r, "Low", "High", "None")))
		},
		func(r *rand.Rand) request { return request{method: "POST", path: "/tasks/" + id(r) + "/done"} },
		func(r *rand.Rand) request { return get("/tasks") },
		func(r *rand.Rand) request { return get("/calls") },
	)
}

// TestOwnStreams: the methods of streams that the program makes are activations of whoever made the stream,
// so what they do to what requests share is in the log.
func TestOwnStreams(t *testing.T) {
	taps := &app{name: "taps", dir: "gallery", entry: "taps.js"}
	post := func(path, body string, chunks int) request {
		return request{method: "POST", path: path, headers: "Content-Type: text/plain", body: body, chunks: chunks}
	}
	one := []request{post("/meter/a", "hello", 0), post("/sink/", "some text", 0), get("/words/3"), get("/later/3"), get("/options/z"), post("/chain/", "abc", 0), get("/read/"), get("/state/")}
	taps.answersLikePlain(t, taps.entry, one)
	for _, connections := range []int{1, 30} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) {
			var all []request
			for range 8 {
				all = append(append(all, one...), post("/meter/b", strings.Repeat("long ", 30_000), 0), post("/sink/", strings.Repeat("long ", 30_000), 4), get("/state/"))
			}
			if v := taps.honest(t, connections, all); v.Together != "" {
				t.Errorf("groups would have done, but: %s", v.Together)
			}
		})
	}
}

// TestWaitingModules: a module that waits outside of functions is strict, and no module of CommonJS, as in Node.js.
func TestWaitingModules(t *testing.T) {
	awaited := &app{name: "awaited", dir: "strangers", entry: "awaited/server.mjs"}
	awaited.answersLikePlain(t, awaited.entry, []request{get("/strict/a"), get("/names/b"), get("/this/c")})
}
