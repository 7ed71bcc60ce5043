"""``hisshi verify``: replay the proofs that ``hisshi solve --proof`` wrote, with rules of its own."""

import click

PROVEN, WRONG, UNREADABLE = 0, 1, 2


@click.command(name="verify", short_help="Check saved proofs independently.")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Replay each proof tree in FILE… ('-': standard input), as written by 'hisshi solve --json FILE --proof'.

    Also what 'hisshi compose --proofs FILE' writes; a FILE called .xz is unpacked.

    Every move is checked by a slow and simple move generator that shares no code with the searches: each move of the
    attacker must be a legal check, each evasion must be answered, each line must end in mate within the claimed length.

    Exit status: 0 every proof holds, 1 some do not, or a proven result has no proof, 2 a file or a line is unreadable,
    or there is nothing to verify.
    """
    from hisshi.lab.proof_files import verify_file

    code, proofs = PROVEN, 0
    for file in files:
        for verdict in verify_file(file):
            click.echo(verdict.text, err=verdict.is_unreadable)
            proofs += verdict.is_claim
            if verdict.is_unreadable:
                code = UNREADABLE
            elif verdict.is_claim and not verdict.holds:
                code = max(code, WRONG)
    if code == PROVEN and not proofs:
        click.echo(
            "error: no proven result in these lines; write some with 'hisshi solve … --json FILE --proof'", err=True
        )
        code = UNREADABLE
    ctx.exit(code)
