use crate::parse::Shape;

pub fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(radius) => std::f64::consts::PI * square(*radius),
        Shape::Rectangle(width, height) => width + height,
    }
}

fn square(number: f64) -> f64 {
    number * number
}
