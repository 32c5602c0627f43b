package queue

import "testing"

func TestWrapsAround(t *testing.T) {
	q := New(2)
	for i := 0; i < 5; i++ {
		q.Push("a")
		if _, ok := q.Pop(); !ok {
			t.Fatal("empty")
		}
	}
}
