package advice

// chunked collects elements whose number is not known in advance, and moves
// each of them once: growing a slice of millions moves them all several times.
type chunked[T any] struct {
	full [][]T
	last []T
}

const chunk = 4096

// next returns a new element to fill in.
func (c *chunked[T]) next() *T {
	if len(c.last) == cap(c.last) {
		if c.last != nil {
			c.full = append(c.full, c.last)
		}
		n := chunk
		if c.full == nil && c.last == nil {
			n = 64
		}
		c.last = make([]T, 0, n)
	}
	c.last = c.last[:len(c.last)+1]
	return &c.last[len(c.last)-1]
}

// at returns element i, whose chunk is found from the sizes above.
func (c *chunked[T]) at(i int32) *T {
	k := -1
	if i >= 64 {
		i -= 64
		k = int(i / chunk)
		i %= chunk
	}
	if k+1 < len(c.full) {
		return &c.full[k+1][i]
	}
	return &c.last[i]
}

// all is everything in one slice.
func (c *chunked[T]) all() []T {
	if c.full == nil {
		return c.last
	}
	n := len(c.last)
	for _, f := range c.full {
		n += len(f)
	}
	out := make([]T, 0, n)
	for i, f := range c.full {
		out = append(out, f...)
		c.full[i] = nil
	}
	return append(out, c.last...)
}
