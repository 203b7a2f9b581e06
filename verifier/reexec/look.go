package reexec

import (
	"context"
	"fmt"
)

// early tells whether to look after so many groups what they left changed: the sooner it
// shows, the better, but it costs milliseconds. That is after 4, 32, 256… groups.
func early(groups int) bool {
	for groups > 4 && groups%8 == 0 {
		groups /= 8
	}
	return groups == 4
}

// look asks the engine, before it is dropped, whether the groups that it ran
// changed what requests share and nothing tracks. What groups did then says nothing.
func (w *worker) look(ctx context.Context) (found bool, err error) {
	if w.e == nil || !w.used {
		return false, nil
	}
	w.used = false
	id := w.a.jobIDs.Add(1)
	out, err := w.e.Run(ctx, fmt.Appendf(nil, `{"id":%d,"n":1,"look":true}`, id))
	if ctx.Err() != nil {
		return false, nil
	}
	if err != nil {
		w.drop()
		w.a.doubt("what requests share cannot be looked at: " + err.Error())
		return true, nil
	}
	r, err := parseResult(string(out))
	if err != nil || r.id != id {
		return false, fmt.Errorf("the engine cannot say what requests share: %v", err)
	}
	w.unseen = nil
	return w.a.beyond(r.problems), nil
}

// again runs what an engine ran that died before it could be asked what its groups had changed. They count already;
// if each of them, from the same start, leaves everything as it was, so did it then.
func (w *worker) again(ctx context.Context, number int32) (ok bool, err error) {
	owed := w.owed
	w.owed = nil
	for i, g := range owed {
		if g.life != number {
			w.owed = append(w.owed, g)
			continue
		}
		r, err := w.run(ctx, g.lanes, false)
		switch {
		case ctx.Err() != nil:
			return false, nil
		case err == nil && !r.diverged && len(r.problems) == 0:
			w.unseen = append(w.unseen, g)
			continue
		}
		w.a.blind.Store(true)
		if w.e == nil {
			w.owed = append(w.owed, owed[i+1:]...)
			return w.ready(ctx, number)
		}
	}
	if len(w.unseen) == 0 {
		return true, nil
	}
	found, err := w.look(ctx)
	return !found, err
}
