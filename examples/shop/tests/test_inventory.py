import unittest

from shop.inventory import Inventory, OutOfStock


class InventoryTest(unittest.TestCase):
    def test_cannot_take_more_than_there_is(self) -> None:
        stock = Inventory()
        stock.receive("lamp", 1)
        with self.assertRaises(OutOfStock):
            stock.take("lamp", 2)
