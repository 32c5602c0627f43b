package queue

// Queue is a first-in, first-out list with a limit.
type Queue struct {
	ring  ring
	limit int
}

// New makes a queue for at most limit items.
func New(limit int) *Queue {
	return &Queue{ring: newRing(limit), limit: limit}
}

// Push adds an item; false when the queue is full.
func (q *Queue) Push(item string) bool {
	if q.ring.length == q.limit {
		return false
	}
	q.ring.put(item)
	return true
}

// Pop takes the oldest item.
func (q *Queue) Pop() (string, bool) {
	if q.ring.length == 0 {
		return "", false
	}
	return q.ring.take(), true
}
