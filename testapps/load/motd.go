package load

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// Motd describes a workload for the message-of-the-day apps.
type Motd struct {
	Requests int
	Writes   int    // percent that set a message: the paper has 90, 50 and 10
	Keys     int    // distinct dates; 100 if zero. Fewer keys, more overwrites
	Zipf     bool   // some dates are far more popular than others
	Hidden   int    // percent of messages that only their own date may show; 0 shows all
	Seed     uint64 // equal seeds give equal requests
}

// Build makes the requests. Every message is different, so that an answer
// tells which write it is from.
func (m Motd) Build() []Request {
	rnd := rand.New(rand.NewPCG(m.Seed, 0x6d6f7464))
	keys := m.Keys
	if keys <= 0 {
		keys = 100
	}
	pick := func() int { return rnd.IntN(keys) }
	if m.Zipf && keys > 1 {
		z := rand.NewZipf(rnd, 1.2, 1, uint64(keys-1))
		pick = func() int { return int(z.Uint64()) }
	}
	first := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	out := make([]Request, m.Requests)
	for i := range out {
		date := first.AddDate(0, 0, pick()).Format(time.DateOnly)
		if rnd.IntN(100) >= m.Writes {
			out[i] = Request{"POST", "/getdate", `{"date":"` + date + `"}`}
			continue
		}
		readable := strconv.FormatBool(rnd.IntN(100) >= m.Hidden)
		message := fmt.Sprintf("message %d: %s", i, words(rnd))
		out[i] = Request{"POST", "/post", `{"date":"` + date + `","message":"` + message + `","readable":` + readable + `}`}
	}
	return out
}

var vocabulary = [...]string{"time", "year", "people", "way", "day", "thing", "world", "life", "hand", "part", "child", "eye",
	"woman", "place", "work", "week", "case", "point", "number", "group", "problem", "fact", "morning", "water", "house"}

func words(rnd *rand.Rand) string {
	s := ""
	for i := range 3 + rnd.IntN(6) {
		if i > 0 {
			s += " "
		}
		s += vocabulary[rnd.IntN(len(vocabulary))]
	}
	return s
}
