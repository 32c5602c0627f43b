import unittest

from shop import Order, checkout


class CheckoutTest(unittest.TestCase):
    def order(self, *codes: str) -> Order:
        order = Order(codes=list(codes))
        order.add("lamp", 1, 8_000)
        order.add("bulb", 4, 500)
        return order

    def test_plain_order(self) -> None:
        self.assertEqual(checkout(self.order()), 11_900)

    def test_best_code_counts(self) -> None:
        self.assertEqual(checkout(self.order("WELCOME10", "summer25")), 8_925)

    def test_empty_order_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            checkout(Order())


if __name__ == "__main__":
    unittest.main()
