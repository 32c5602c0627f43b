module example.org/queue

go 1.22
