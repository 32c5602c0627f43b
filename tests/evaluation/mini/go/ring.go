package queue

type ring struct {
	items  []string
	first  int
	length int
}

func newRing(size int) ring {
	return ring{items: make([]string, size)}
}

func (r *ring) put(item string) {
	r.items[(r.first+r.length)%len(r.items)] = item
	r.length++
}

func (r *ring) take() string {
	item := r.items[r.first]
	r.first = r.first + 1
	r.length--
	return item
}
