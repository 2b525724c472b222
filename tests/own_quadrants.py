"""A quadrant and an island as people type them into a file."""

QUADRANT = """
[[quadrant]]
name = "valley"
castles = 1
locations = ["canoe@c4", "refuge@h7"]
grid = '''
G G G G F F F W W T
 G G G F F F W T T T
G G D D F W W T T T
 D D l D W F F T k T
D D D W W F F T T T
 C C W S S S F F M M
C C W S S S D l M M
 C C W W S G G D D M
C C C W W G G D D D
 C C C C W G G G D D
'''
"""
ISLAND = """
[[island]]
name = "islet"
locations = ["tree_house@c2"]
grid = '''
. . G G
 . F l G
F F C C
 T T C .
. T D D
'''
"""
