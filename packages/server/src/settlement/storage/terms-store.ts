import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readAll, readFirst } from "../../platform/database/read.js";
import type { SettledProgram } from "../domain/statement.js";
import type { ProgramTerms, Terms } from "../domain/terms.js";
import type { TermsStore } from "../operations/settlement-stores.js";

const termsRow = selection("program_terms", ["program_id", "from_month", "set_at"]);
type TermsRow = RowOf<typeof termsRow> & { readonly terms: Terms };
type ProgramRow = Row<"programs", "id" | "name" | "timezone"> & Pick<TermsRow, "from_month" | "terms">;

const fromRow = (row: TermsRow): ProgramTerms => ({ ...termsRow.camel(row), terms: row.terms });

const programFrom = ({ from_month: fromMonth, ...program }: ProgramRow): SettledProgram => ({ ...program, fromMonth });

/** The newest row of each program and month; deleted ones have no terms. */
const CURRENT = "select distinct on (program_id, from_month) * from program_terms";
const IN_ORDER = "order by program_id, from_month, seq desc";

export const termsStore = (db: Queryable): TermsStore => ({
  async add({ programId, fromMonth, terms, setAt, actor }) {
    await db.query(
      "insert into program_terms (program_id, from_month, terms, set_at, actor) values ($1, $2, $3, $4, $5)",
      [programId, fromMonth, terms === null ? null : JSON.stringify(terms), setAt, actor],
    );
  },
  find: (programId, fromMonth) =>
    readFirst(db, fromRow, {
      text: `select * from (${CURRENT} where program_id = $1 and from_month = $2 ${IN_ORDER}) as newest where terms is not null`,
      values: [programId, fromMonth],
    }),
  async list(programId, page) {
    // The place of a month in the list is the month itself, as a number such as 202606.
    const { rows } = await db.query<Placed<TermsRow>>(
      `select *, replace(from_month, '-', '')::int as seq
       from (${CURRENT} where program_id = $3 ${IN_ORDER}) as newest (row_seq, program_id, from_month, terms, set_at, actor)
       where terms is not null and ($1::int is null or replace(from_month, '-', '')::int > $1)
       order by from_month limit $2`,
      [...pageParameters(page), programId],
    );
    return pageOf(rows, page, fromRow);
  },
  ofMonth: (month) =>
    readAll(db, programFrom, {
      text: `select distinct on (programs.name, programs.id) programs.id, programs.name, timezone, from_month, terms
       from (${CURRENT} where from_month <= $1 ${IN_ORDER}) as newest join programs on programs.id = program_id
       where terms is not null
       order by programs.name, programs.id, from_month desc`,
      values: [month],
    }),
});
