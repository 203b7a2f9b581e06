package e2e

import (
	"flag"
	"fmt"
	"testing"
)

var grow = flag.Int("grow", 1, "how many times as large TestGrowth lets state become (make growth)")

// TestGrowth: what the verifier's engine is told grows as the number of requests, not as its
// square, although each of them builds upon what all others left.
func TestGrowth(t *testing.T) {
	growth := &app{name: "growth", dir: "gallery", entry: "growth.js"}
	for what, n := range map[string]int{"fill": 10, "prepend": 400, "hot": 10} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			told := func(n int) int64 {
				var requests []request
				for i := range n {
					requests = append(requests, get(fmt.Sprintf("/%s/%d", what, i)))
				}
				v := mustAccept(t, growth.record(t, 10, requests).Evidence)
				if v.Together != "" {
					t.Errorf("groups would have done, but: %s", v.Together)
				}
				t.Logf("%d requests: %d bytes of jobs, %d operations, %.1f s, %d MB", n, v.Stats.JobBytes, v.Stats.Operations, v.CPU.Seconds(), v.EnginePeak>>20)
				return v.Stats.JobBytes
			}
			few, many := told(n**grow), told(4*n**grow)
			if many > 6*few {
				t.Errorf("four times as many requests take %d bytes of jobs instead of %d", many, few)
			}
		})
	}
}
