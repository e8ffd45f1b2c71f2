"""The colours of a board. What they tell is also told by a shape or a word, and blue and vermilion differ to all eyes.

Blue, sky blue and vermilion are those of Okabe and Ito, "Color universal design" (2008), made for the colour-blind.
"""

PAGE = "#faf7f2"
BOARD = "#e5d0aa"
BOARD_EDGE = "#c9a877"
PIT = "#7b5a3e"
PIT_SHADE = "#60442d"
CLOSED = "#d3b98c"
INK = "#2e2118"
MUTED = "#786a5b"
CHIP = "#fffdf8"
STONES = ("#f4ead4", "#e3e6dc", "#f0dcca", "#dbe1e8")
STONE_EDGE = "#3f2c1d"
TURN = "#00674f"
TRACE = "#0072b2"
FRESH = "#56b4e9"
CAPTURE = "#d55e00"
CAPTURE_TEXT = "#ffc9a3"
