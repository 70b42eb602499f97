"""SubBytes and its inverse as circuits of exclusive ors and ands over bit planes.

The forward circuit is the one of Boyar and Peralta, "A new combinational logic
minimization technique with applications to cryptology" (SEA 2010), with the names of the
paper. A plane is an integer of any width; plane 0 holds the most significant bits.
"""

from __future__ import annotations

Planes = list[int]

AFFINE_CONSTANT = 0x63
"""What `sub_bytes` leaves out and `inv_sub_bytes` expects to be left out (FIPS 197, 5.1.1)."""


def sub_bytes(x: Planes) -> Planes:
    """SubBytes without its constant: eight planes to eight planes, {63} not added."""
    x0, x1, x2, x3, x4, x5, x6, x7 = x
    y14, y13, y9, y8, t0 = x3 ^ x5, x0 ^ x6, x0 ^ x3, x0 ^ x5, x1 ^ x2
    y1 = t0 ^ x7
    y4, y12, y2, y5 = y1 ^ x3, y13 ^ y14, y1 ^ x0, y1 ^ x6
    y3, t1 = y5 ^ y8, x4 ^ y12
    y15, y20 = t1 ^ x5, t1 ^ x1
    y6, y10, y11 = y15 ^ x7, y15 ^ t0, y20 ^ y9
    y7, y17, y19, y16 = x7 ^ y11, y10 ^ y11, y10 ^ y8, t0 ^ y11
    y21, y18 = y13 ^ y16, x0 ^ y16

    t2 = y12 & y15
    t7 = y13 & y16
    t12 = y9 & y11
    t4, t6 = (y3 & y6) ^ t2, (y4 & x7) ^ t2
    t9, t11 = (y5 & y1) ^ t7, (y2 & y7) ^ t7
    t14, t16 = (y14 & y17) ^ t12, (y8 & y10) ^ t12
    t21, t22 = t4 ^ t14 ^ y20, t6 ^ t16 ^ y19
    t23, t24 = t9 ^ t14 ^ y21, t11 ^ t16 ^ y18

    t25, t26, t30 = t21 ^ t22, t21 & t23, t23 ^ t24
    t27, t31 = t24 ^ t26, t22 ^ t26
    t29, t33 = (t25 & t27) ^ t22, (t31 & t30) ^ t24
    t34, t35 = t23 ^ t33, t27 ^ t33
    t36 = t24 & t35
    t37, t38 = t36 ^ t34, t27 ^ t36
    t40 = t25 ^ (t29 & t38)
    t41, t42, t43, t44 = t40 ^ t37, t29 ^ t33, t29 ^ t40, t33 ^ t37
    t45 = t42 ^ t41

    z2, z3, z4, z5 = t33 & x7, t43 & y16, t40 & y1, t29 & y7
    z10, z12, z16 = t37 & y3, t43 & y13, t45 & y14
    t46, t47 = (t42 & y9) ^ z16, z10 ^ (t33 & y4)
    t48, t49 = z5 ^ (t40 & y5), (t44 & y12) ^ z10
    t50, t51 = z2 ^ z12, z2 ^ z5
    z7 = t45 & y17
    t52, t53, t54 = z7 ^ (t41 & y10), (t44 & y15) ^ z3, (t42 & y11) ^ z7
    t55, t56, t57 = z16 ^ (t41 & y8), z12 ^ t48, t50 ^ t53
    t58, t59 = z4 ^ t46, z3 ^ t54
    t60, t61, t62, t63 = t46 ^ t57, (t29 & y2) ^ t57, t52 ^ t58, t49 ^ t58
    t64, t65, t66 = z4 ^ t59, t61 ^ t62, (t37 & y6) ^ t63
    s3 = t53 ^ t66
    return [
        t59 ^ t63, t64 ^ s3, t55 ^ t64 ^ t65, s3, t51 ^ t66, t47 ^ t65, t56 ^ t62, t48 ^ t60,
    ]


def _undo_affine(x: Planes) -> Planes:
    """The linear part of the affine transformation of FIPS 197 equation 5.2, undone."""
    return [x[(p - 2) % 8] ^ x[(p - 5) % 8] ^ x[(p - 7) % 8] for p in range(8)]


def inv_sub_bytes(x: Planes) -> Planes:
    """InvSubBytes of planes from which {63} has been taken: both ways round the inversion.

    SubBytes is A(I(x)) with the affine map A and the inversion I in GF(2^8). I undoes
    itself, so InvSubBytes is I(A^-1(x)) = A^-1(SubBytes(A^-1(x))).
    """
    return _undo_affine(sub_bytes(_undo_affine(x)))
