#!/usr/bin/env python3
"""Check one roll: verify_roll.py KEY GAME PHASE EVENT ROOT PROOF COUNT SIDES

KEY, ROOT and PROOF are hexadecimal, as a report prints them. Prints the dice that
the proof gives, or says that the proof is bad (exit code 1). Standard library only;
independent of Fieldpost. ECVRF-EDWARDS25519-SHA512-TAI, RFC 9381.
"""
import sys
from hashlib import sha512

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def decode(b):                                   # RFC 8032, 5.1.3
    y, sign = int.from_bytes(b, "little") & (2**255 - 1), b[31] >> 7
    if len(b) != 32 or y >= P: return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if (v * x * x - u) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if (v * x * x - u) % P or (x == 0 and sign): return None
    return ((P - x) if x & 1 != sign else x, y)

def encode(p): return (p[1] | (p[0] & 1) << 255).to_bytes(32, "little")

def add(p, q):
    (x, y), (a, b) = p, q
    t = D * x * y * a * b % P
    return ((x * b + a * y) * pow(1 + t, -1, P) % P, (y * b + x * a) * pow(1 - t, -1, P) % P)

def times(n, p):
    r = (0, 1)
    while n:
        if n & 1: r = add(r, p)
        p, n = add(p, p), n >> 1
    return r

def neg(p): return (-p[0] % P, p[1])

def to_curve(key, alpha):                        # RFC 9381, 5.4.1.1
    for i in range(256):
        h = decode(sha512(b"\x03\x01" + key + alpha + bytes([i, 0])).digest()[:32])
        if h and times(8, h) != (0, 1): return times(8, h)

def verify(key, alpha, pi):                      # RFC 9381, 5.3
    y, gamma, c, s = decode(key), decode(pi[:32]), int.from_bytes(pi[32:48], "little"), int.from_bytes(pi[48:], "little")
    if len(pi) != 80 or y is None or gamma is None or s >= L or times(8, y) == (0, 1): return None
    base, h = decode(b"\x58" + b"\x66" * 31), to_curve(key, alpha)
    u, v = add(times(s, base), neg(times(c, y))), add(times(s, h), neg(times(c, gamma)))
    points = key + encode(h) + pi[:32] + encode(u) + encode(v)
    if sha512(b"\x03\x02" + points + b"\x00").digest()[:16] != pi[32:48]: return None
    return sha512(b"\x03\x03" + encode(times(8, gamma)) + b"\x00").digest()

def field(b): return len(b).to_bytes(2, "big") + b

def alpha(game, phase, event, root):
    return b"fieldpost-dice-v1\0" + b"".join(field(f) for f in (game.encode(), phase.encode(), event.encode(), root))

def dice(beta, count, sides):
    out, i = [], 0
    while len(out) < count:
        for b in sha512(b"fieldpost-dice-v1 stream\0" + beta + i.to_bytes(4, "big")).digest():
            if b < 256 // sides * sides and len(out) < count: out.append(b % sides + 1)
        i += 1
    return out

if __name__ == "__main__":
    if len(sys.argv) != 9: sys.exit(__doc__)
    key, game, phase, event, root, proof, count, sides = sys.argv[1:]
    beta = verify(bytes.fromhex(key.removeprefix("ecvrf-ed25519:")), alpha(game, phase, event, bytes.fromhex(root)), bytes.fromhex(proof))
    if beta is None: sys.exit("the proof does not fit the key and the event")
    print(*dice(beta, int(count), int(sides)))
