mod area;
mod parse;

pub use parse::parse;

/// Adds up the areas of all shapes in `text`.
pub fn total(text: &str) -> f64 {
    text.lines().filter_map(parse).map(|shape| area::area(&shape)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_width_times_height() {
        assert_eq!(total("rectangle 2 3"), 6.0);
    }
}
