import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { matchesOne, readAll, readFirst, readMap, readNumber, readPage } from "../../platform/database/read.js";
import { unlessTaken } from "../../platform/database/unless-taken.js";
import { type SecretBox, totpPlace } from "../../platform/secret-box.js";
import type { Standing } from "../domain/session.js";
import type { User } from "../domain/user.js";
import type { Identity, TotpRecord, UserRecord, UserStore } from "../operations/user-ports.js";

const userRow = selection("users", ["id", "email", "name", "role", "account_id", "disabled", "created_at"]);
/** Credentials, listed separately so that a `User` never carries them. */
const credentialRow = selection("users", [
  "password_hash",
  "totp_secret",
  "totp_confirmed_at",
  "totp_last_step",
  "oidc_issuer",
  "oidc_subject",
]);
type UserRow = RowOf<typeof userRow> & RowOf<typeof credentialRow>;

/** A user's row, and what counts of the participant's account; null for operators. */
export interface StandingRow extends UserRow, Row<"users", "language"> {
  readonly account_disabled: boolean | null;
  readonly account_language: string | null;
}

const fromRow = (row: UserRow): User => ({
  ...userRow.camel(row),
  hasPassword: row.password_hash !== null,
  hasTotp: row.totp_confirmed_at !== null,
});

export const standingOf = (row: StandingRow): Standing => ({
  user: fromRow(row),
  accountDisabled: row.account_disabled ?? false,
  language: { own: row.language, account: row.account_language },
});

const recordFrom = (secrets: SecretBox, row: StandingRow): UserRecord => ({
  ...standingOf(row),
  passwordHash: row.password_hash,
  totp: totpOf(secrets, row),
  identity: identityOf(row),
});

const totpOf = (
  secrets: SecretBox,
  { id, totp_secret, totp_confirmed_at, totp_last_step }: StandingRow,
): TotpRecord | null =>
  totp_secret === null
    ? null
    : {
        // Decrypted on demand: a user whose secret cannot be read can still be invited again.
        get secret() {
          return secrets.open(totp_secret, totpPlace(id));
        },
        isConfirmed: totp_confirmed_at !== null,
        lastStep: totp_last_step,
      };

const identityOf = ({ oidc_issuer, oidc_subject }: UserRow): Identity | null =>
  oidc_issuer === null || oidc_subject === null ? null : { issuer: oidc_issuer, subject: oidc_subject };

export const standingColumns = `${userRow.columns}, ${credentialRow.columns}, users.language, accounts.disabled as account_disabled,
  accounts.language as account_language`;

const STANDING = `select ${standingColumns}
  from users left join accounts on accounts.id = users.account_id`;

export const userStore = (db: Queryable, secrets: SecretBox): UserStore => {
  const recordOf = (row: StandingRow): UserRecord => recordFrom(secrets, row);
  return {
    insert: ({ id, email, name, role, accountId, disabled, createdAt }) =>
      matchesOne(db, {
        text: `insert into users (id, email, name, role, account_id, disabled, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (coalesce(account_id, ''), lower(email)) where deleted_at is null do nothing`,
        values: [id, email, name, role, accountId, disabled, createdAt],
      }),
    find: (id, within) =>
      readFirst(db, fromRow, {
        text: "select * from users where id = $1 and deleted_at is null and ($2::text is null or account_id = $2)",
        values: [id, within],
      }),
    list: (within, page) =>
      readPage(db, page, fromRow, {
        text: `select * from users
       where deleted_at is null and ($3::text is null or account_id = $3) and ($1::bigint is null or seq > $1)
       order by seq limit $2`,
        values: [within],
      }),
    count: (accountId) =>
      readNumber(db, "count", "select count(*) as count from users where account_id = $1 and deleted_at is null", [
        accountId,
      ]),
    namesOf: (ids) =>
      readMap(db, ({ id, name }: Pick<UserRow, "id" | "name">) => [id, name], {
        text: "select id, name from users where id = any($1)",
        values: [ids],
      }),
    async isEmpty() {
      // If two create the first user at once, one waits here for the other.
      await db.query("lock table users in share row exclusive mode");
      const { rowCount } = await db.query("select from users limit 1");
      return rowCount === 0;
    },
    findByEmail: (email) =>
      readFirst(db, recordOf, {
        text: `${STANDING} where lower(email) = lower($1) and accepted_at is not null and deleted_at is null`,
        values: [email],
      }),
    findInvited: (email) =>
      readAll(db, recordOf, {
        text: `${STANDING} where lower(email) = lower($1) and accepted_at is null and deleted_at is null`,
        values: [email],
      }),
    findByIdentity: ({ issuer, subject }) =>
      readFirst(db, recordOf, `${STANDING} where oidc_issuer = $1 and oidc_subject = $2`, [issuer, subject]),
    lock: (id, within) =>
      readFirst(db, recordOf, {
        text: `${STANDING} where users.id = $1 and deleted_at is null and ($2::text is null or account_id = $2)
       for update of users`,
        values: [id, within],
      }),
    // In a fixed order, so that concurrent locks do not deadlock.
    lockAdmins: (accountId) =>
      readAll(db, ({ id }: Pick<UserRow, "id">) => id, {
        text: `select id from users
       where account_id is not distinct from $1 and role in ('operator-admin', 'participant-admin')
         and accepted_at is not null and deleted_at is null and not disabled
       order by id for update`,
        values: [accountId],
      }),
    save: ({ id, email, name, role, disabled }) =>
      unlessTaken(() =>
        db.query("update users set email = $2, name = $3, role = $4, disabled = $5 where id = $1", [
          id,
          email,
          name,
          role,
          disabled,
        ]),
      ),
    async remove(id, at) {
      await db.query(
        `update users set deleted_at = $2, disabled = true, password_hash = null, totp_secret = null,
         totp_confirmed_at = null, totp_last_step = null, oidc_issuer = null, oidc_subject = null
       where id = $1`,
        [id, at],
      );
    },
    startAnew: (id, passwordHash, at) =>
      unlessTaken(() =>
        db.query(
          `update users set password_hash = $2, accepted_at = coalesce(accepted_at, $3), totp_secret = null,
           totp_confirmed_at = null, totp_last_step = null, oidc_issuer = null, oidc_subject = null
         where id = $1`,
          [id, passwordHash, at],
        ),
      ),
    async changePassword(id, passwordHash) {
      await db.query("update users set password_hash = $2 where id = $1", [id, passwordHash]);
    },
    bind: (id, { issuer, subject }, at) =>
      unlessTaken(() =>
        db.query(
          `update users set oidc_issuer = $2, oidc_subject = $3, accepted_at = coalesce(accepted_at, $4)
         where id = $1`,
          [id, issuer, subject, at],
        ),
      ),
    async saveTotp(id, secret) {
      await db.query(
        "update users set totp_secret = $2, totp_confirmed_at = null, totp_last_step = null where id = $1",
        [id, secrets.seal(secret, totpPlace(id))],
      );
    },
    async confirmTotp(id, at) {
      await db.query("update users set totp_confirmed_at = $2 where id = $1", [id, at]);
    },
    async removeTotp(id) {
      await db.query(
        "update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where id = $1",
        [id],
      );
    },
    async dismissedHints(id) {
      const { rows } = await db.query<Row<"users", "dismissed_hints">>(
        "select dismissed_hints from users where id = $1",
        [id],
      );
      return rows[0]?.dismissed_hints ?? [];
    },
    async setHint(id, hint, dismissed) {
      await db.query(
        `update users set dismissed_hints = array_remove(dismissed_hints, $2) || case when $3 then array[$2] else '{}' end
         where id = $1`,
        [id, hint, dismissed],
      );
    },
    async setLanguage(id, language) {
      await db.query("update users set language = $2 where id = $1", [id, language]);
    },
    takeTotpStep: (id, step) =>
      matchesOne(db, {
        text: "update users set totp_last_step = $2 where id = $1 and (totp_last_step is null or totp_last_step < $2)",
        values: [id, step],
      }),
  };
};
