import type { Row } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { pushKeyPlace, type SecretBox } from "../../platform/secret-box.js";

/** The key pair of RFC 8292, in base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const ID = "vapid";

/** The service's key pair; created at the first use. Replacing it would void every subscription. */
export const findPushKeys = async (db: Queryable, box: SecretBox, newKeys: () => PushKeys): Promise<PushKeys> => {
  const known = await readKeys(db, box);
  if (known !== null) return known;
  const { publicKey, privateKey } = newKeys();
  // Of processes that start together, the first one's stay.
  await db.query("insert into push_keys (id, public_key, private_key) values ($1, $2, $3) on conflict do nothing", [
    ID,
    publicKey,
    box.seal(privateKey, pushKeyPlace(ID)),
  ]);
  const kept = await readKeys(db, box);
  if (kept === null) throw new Error("the key pair for push messages was not stored");
  return kept;
};

const readKeys = async (db: Queryable, box: SecretBox): Promise<PushKeys | null> => {
  const { rows } = await db.query<Row<"push_keys", "public_key" | "private_key">>(
    "select public_key, private_key from push_keys where id = $1",
    [ID],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { publicKey: row.public_key, privateKey: box.open(row.private_key, pushKeyPlace(ID)) };
};
