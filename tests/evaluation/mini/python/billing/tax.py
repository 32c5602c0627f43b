"""Tax rates by country."""

TABLE = {
    "de": {"standard": 19, "reduced": 7},
    "at": {"standard": 20, "reduced": 10},
}


class Rates:
    """The rates of one country."""

    def __init__(self, country):
        self.table = TABLE[country]

    def percent(self, kind):
        return self.table.get(kind, self.table["standard"])

    def with_tax(self, net, kind):
        return net * (100 + self.percent(kind)) / 100
