"""Plots as inline SVG: recall against budget with intervals, latency as a distribution. No script, no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..model.values import Value

COLOURS = ("#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f", "#64748b", "#78350f")
WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 14, 40


class Point(Value):
    """One mean with its interval at place `x`."""

    x: float
    y: float
    low: float
    high: float


def line_plot(title: str, x_title: str, series: Sequence[tuple[str, Sequence[Point]]]) -> str:
    """Lines over a y axis from 0 to 1, each point with its interval, and a legend."""
    places = sorted({point.x for _, points in series for point in points})
    if not places:
        return ""
    span = (places[-1] - places[0]) or 1.0
    pad = 0.06 * (WIDTH - LEFT - RIGHT)

    def at_x(x: float) -> float:
        return LEFT + pad + (x - places[0]) / span * (WIDTH - LEFT - RIGHT - 2 * pad)

    def at_y(y: float) -> float:
        return TOP + (1 - y) * (HEIGHT - TOP - BOTTOM)

    parts = [_frame(title), *(_grid_line(step / 5, at_y(step / 5)) for step in range(6))]
    parts += [f'<text x="{at_x(x):.1f}" y="{HEIGHT - 22}" text-anchor="middle">{x:g}</text>' for x in places]
    parts.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_title)}</text>')
    for number, (_, points) in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        shift = (number - (len(series) - 1) / 2) * 3
        path = " ".join(f"{at_x(point.x) + shift:.1f},{at_y(point.y):.1f}" for point in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for point in points:
            x = at_x(point.x) + shift
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{at_y(point.low):.1f}" y2="{at_y(point.high):.1f}" '
                f'stroke="{colour}" stroke-opacity=".45"/>'
                f'<circle cx="{x:.1f}" cy="{at_y(point.y):.1f}" r="3" fill="{colour}"/>'
            )
    return _figure(parts) + _legend([name for name, _ in series])


def step_plot(title: str, x_title: str, series: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Cumulative shares of values, one step line a series."""
    top = max((max(values) for _, values in series if values), default=0.0)
    if top <= 0:
        return ""

    def at_x(x: float) -> float:
        return LEFT + x / top * (WIDTH - LEFT - RIGHT)

    def at_y(y: float) -> float:
        return TOP + (1 - y) * (HEIGHT - TOP - BOTTOM)

    parts = [_frame(title), *(_grid_line(step / 5, at_y(step / 5)) for step in range(6))]
    for step in range(6):
        x = top * step / 5
        parts.append(f'<text x="{at_x(x):.1f}" y="{HEIGHT - 22}" text-anchor="middle">{x:.0f}</text>')
    parts.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_title)}</text>')
    for number, (_, values) in enumerate(series):
        ordered = sorted(values)
        points = [f"{at_x(0):.1f},{at_y(0):.1f}"]
        for place, value in enumerate(ordered):
            points.append(f"{at_x(value):.1f},{at_y(place / len(ordered)):.1f}")
            points.append(f"{at_x(value):.1f},{at_y((place + 1) / len(ordered)):.1f}")
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
    return _figure(parts) + _legend([name for name, _ in series])


def _figure(parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">{"".join(parts)}</svg>'


def _frame(title: str) -> str:
    return f"<title>{escape(title)}</title>"


def _grid_line(value: float, y: float) -> str:
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e2e8f0"/>'
        f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.1f}</text>'
    )


def _legend(names: Sequence[str]) -> str:
    items = "".join(
        f'<li><span style="background:{COLOURS[number % len(COLOURS)]}"></span>{escape(name)}</li>'
        for number, name in enumerate(names)
    )
    return f'<ul class="legend">{items}</ul>'
