import type { Standing } from "../domain/session.js";
import type { Role, User } from "../domain/user.js";
import type { Identity, UserRecord, UserStore } from "../operations/user-ports.js";
import type { Queryable } from "./database.js";
import { pageOf, pageParameters } from "./page.js";

interface UserRow {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly account_id: string | null;
  readonly password_hash: string | null;
  readonly totp_secret: string | null;
  readonly totp_confirmed_at: Date | null;
  readonly totp_last_step: number | null;
  readonly oidc_issuer: string | null;
  readonly oidc_subject: string | null;
  readonly disabled: boolean;
  readonly created_at: Date;
}

/** A user's row beside whether the account of a participant's user is disabled; null of an operator's. */
export interface StandingRow extends UserRow {
  readonly account_disabled: boolean | null;
}

const fromRow = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  accountId: row.account_id,
  hasPassword: row.password_hash !== null,
  hasTotp: row.totp_confirmed_at !== null,
  disabled: row.disabled,
  createdAt: row.created_at,
});

export const standingOf = (row: StandingRow): Standing => ({
  user: fromRow(row),
  accountDisabled: row.account_disabled ?? false,
});

const recordOf = (row: StandingRow | undefined): UserRecord | null =>
  row === undefined
    ? null
    : {
        ...standingOf(row),
        passwordHash: row.password_hash,
        totp:
          row.totp_secret === null
            ? null
            : { secret: row.totp_secret, isConfirmed: row.totp_confirmed_at !== null, lastStep: row.totp_last_step },
        identity: identityOf(row),
      };

const identityOf = ({ oidc_issuer, oidc_subject }: UserRow): Identity | null =>
  oidc_issuer === null || oidc_subject === null ? null : { issuer: oidc_issuer, subject: oidc_subject };

const STANDING = `select users.*, accounts.disabled as account_disabled
  from users left join accounts on accounts.id = users.account_id`;

export const userStore = (db: Queryable): UserStore => ({
  async insert({ id, email, name, role, accountId, disabled, createdAt }) {
    const { rowCount } = await db.query(
      `insert into users (id, email, name, role, account_id, disabled, created_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (lower(email)) do nothing`,
      [id, email, name, role, accountId, disabled, createdAt],
    );
    return rowCount === 1;
  },
  async find(id, within) {
    const { rows } = await db.query<UserRow>(
      "select * from users where id = $1 and ($2::text is null or account_id = $2)",
      [id, within],
    );
    return rows[0] === undefined ? null : fromRow(rows[0]);
  },
  async list(within, page) {
    const { rows } = await db.query<UserRow>(
      `select * from users
       where ($3::text is null or account_id = $3) and ($1::bigint is null or seq > $1) order by seq limit $2`,
      [...pageParameters(page), within],
    );
    return pageOf(rows, page, fromRow);
  },
  async isEmpty() {
    // Of two that would be the first, one waits here for the other.
    await db.query("lock table users in share row exclusive mode");
    const { rowCount } = await db.query("select from users limit 1");
    return rowCount === 0;
  },
  async findByEmail(email) {
    const { rows } = await db.query<StandingRow>(`${STANDING} where lower(email) = lower($1)`, [email]);
    return recordOf(rows[0]);
  },
  async findByIdentity({ issuer, subject }) {
    const { rows } = await db.query<StandingRow>(`${STANDING} where oidc_issuer = $1 and oidc_subject = $2`, [
      issuer,
      subject,
    ]);
    return recordOf(rows[0]);
  },
  async lock(id, within) {
    const { rows } = await db.query<StandingRow>(
      `${STANDING} where users.id = $1 and ($2::text is null or account_id = $2) for update of users`,
      [id, within],
    );
    return recordOf(rows[0]);
  },
  async save({ id, name, role, disabled }) {
    await db.query("update users set name = $2, role = $3, disabled = $4 where id = $1", [id, name, role, disabled]);
  },
  async startAnew(id, passwordHash) {
    await db.query(
      `update users set password_hash = $2, totp_secret = null, totp_confirmed_at = null, totp_last_step = null,
         oidc_issuer = null, oidc_subject = null
       where id = $1`,
      [id, passwordHash],
    );
  },
  async bind(id, { issuer, subject }) {
    await db.query("update users set oidc_issuer = $2, oidc_subject = $3 where id = $1", [id, issuer, subject]);
  },
  async saveTotp(id, secret) {
    await db.query("update users set totp_secret = $2, totp_confirmed_at = null, totp_last_step = null where id = $1", [
      id,
      secret,
    ]);
  },
  async confirmTotp(id, at) {
    await db.query("update users set totp_confirmed_at = $2 where id = $1", [id, at]);
  },
  async takeTotpStep(id, step) {
    const { rowCount } = await db.query(
      "update users set totp_last_step = $2 where id = $1 and (totp_last_step is null or totp_last_step < $2)",
      [id, step],
    );
    return rowCount === 1;
  },
});
