package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"karousosc/testapps/scenario"
)

// inferredLimit is how much more a server may cost whose shared state the build had
// to find.
const inferredLimit = 1.05

type inferredResult struct {
	Requests       int     `json:"requests"`
	Writes         int     `json:"writesPercent"`
	Ratio          spread  `json:"inferredOverAnnotated"`
	Advice         float64 `json:"adviceBytesPerRequest"`
	InferredAdvice float64 `json:"inferredAdviceBytesPerRequest"`
	OK             bool    `json:"ok"`
}

// inferred: the server build of the app against that of the app without its
// directives. Advice depends on which requests met, so it may differ by a little.
func (b *bench) inferred(ctx context.Context, _ map[[2]int]scenario.Evidence) error {
	source := filepath.Join(b.dir, "without")
	if err := withoutDirectives(b.source, source); err != nil {
		return err
	}
	found := filepath.Join(b.dir, "dist-without")
	if _, err := b.kit.Build(ctx, source, found); err != nil {
		return err
	}
	b.say("\nServer build of the app without its directives against the annotated one (CPU, at most %.2fx; bytes of advice per request)", inferredLimit)
	b.say("requests  writes   ratio                  advice   without")
	n := b.sizes[len(b.sizes)-1]
	for _, writes := range b.mixes {
		drive := b.driver(b.requests(n, writes))
		var cost, bytes [2][]float64
		for i := range b.rounds {
			for j := range 2 {
				which := (i + j) % 2
				dir, err := b.fresh()
				if err != nil {
					return err
				}
				r, err := b.kit.Record(ctx, []string{b.dist, found}[which], dir, drive)
				if err != nil {
					return err
				}
				if i == 0 {
					if _, err := b.audit(ctx, r.Evidence); err != nil {
						return err
					}
				}
				cost[which] = append(cost[which], micros(r.Server.Work(), n))
				bytes[which] = append(bytes[which], float64(r.Evidence.AdviceBytes())/float64(n))
				if err := os.RemoveAll(dir); err != nil {
					return err
				}
			}
		}
		r := inferredResult{Requests: n, Writes: writes, Ratio: ratios(cost[1], cost[0]), Advice: median(bytes[0]), InferredAdvice: median(bytes[1])}
		r.OK = r.Ratio.Median <= inferredLimit && r.InferredAdvice <= 1.02*r.Advice
		b.Report.Inferred = append(b.Report.Inferred, r)
		b.say("%8d  %5d%%   %s  %8.1f  %8.1f  %s", n, writes, r.Ratio, r.Advice, r.InferredAdvice, verdictOf(r.OK))
	}
	return nil
}

// withoutDirectives copies an app, but for its packages, and blanks its directives.
func withoutDirectives(from, to string) error {
	found := false
	err := scenario.CopyApp(from, to, func(text string) string {
		after := strings.ReplaceAll(text, "//karousos:loggable", "//")
		found = found || after != text
		return after
	})
	if err == nil && !found {
		err = fmt.Errorf("%s has no directive to leave out", from)
	}
	return err
}
