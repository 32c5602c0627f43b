package queue

import "strings"

// String shows the items.
func (q *Queue) String() string {
	return strings.Join(q.ring.items, ", ")
}
