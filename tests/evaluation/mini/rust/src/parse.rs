pub enum Shape {
    Circle(f64),
    Rectangle(f64, f64),
}

/// One shape of one line; None for what is not understood.
pub fn parse(line: &str) -> Option<Shape> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["circle", radius] => Some(Shape::Circle(radius.parse().ok()?)),
        ["rectangle", width, height] => Some(Shape::Rectangle(width.parse().ok()?, height.parse().ok()?)),
        _ => None,
    }
}
