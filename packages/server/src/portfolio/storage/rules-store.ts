import { selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { NEWEST_RULES } from "../domain/rules.js";
import type { RulesStore } from "../operations/rules.js";

const adoptionRow = selection("rules_adoptions", ["rules_version", "adopted_at", "from_month", "actor", "reason"]);

export const rulesStore = (db: Queryable): RulesStore => ({
  adoptions: () =>
    readAll(db, adoptionRow.camel, {
      name: "rules-adoptions",
      // A newer version of the service may know more.
      text: `select ${adoptionRow.columns} from rules_adoptions where rules_version <= $1 order by seq`,
      values: [NEWEST_RULES],
    }),
  async add({ rulesVersion, adoptedAt, fromMonth, actor, reason }) {
    await db.query(
      "insert into rules_adoptions (rules_version, adopted_at, from_month, actor, reason) values ($1, $2, $3, $4, $5)",
      [rulesVersion, adoptedAt, fromMonth, actor, reason],
    );
  },
});
