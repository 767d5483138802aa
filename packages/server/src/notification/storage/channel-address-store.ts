import type { AddressedChannel } from "../../platform/channel.js";
import { type Row, type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Placed } from "../../platform/database/page.js";
import { readFirst, readPage } from "../../platform/database/read.js";
import { addressPlace, type SecretBox } from "../../platform/secret-box.js";
import type { ChannelAddress } from "../domain/channel-address.js";
import type { ChannelAddressStore } from "../operations/manage-channel-addresses.js";
import { dropMessages } from "./delivery-store.js";

const addressRow = selection("channel_addresses", [
  "id",
  "account_id",
  "channel",
  "name",
  "form",
  "hint",
  "created_at",
  "last_success_at",
  "last_error",
]);
type AddressRow = Placed<RowOf<typeof addressRow>>;
type SecretRow = AddressRow & Pick<Row<"channel_addresses", "address">, "address">;

const fromRow = (row: AddressRow): ChannelAddress => ({
  ...addressRow.camel(row),
  channel: row.channel as AddressedChannel,
});

const ITS = "from channel_addresses where id = $1 and deleted_at is null and ($2::text is null or account_id = $2)";

export const channelAddressStore = (db: Queryable, secrets: SecretBox): ChannelAddressStore => ({
  async insert({ id, accountId, channel, name, form, hint, createdAt, lastSuccessAt }, address) {
    await db.query(
      `insert into channel_addresses (id, account_id, channel, name, form, address, hint, created_at, last_success_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, accountId, channel, name, form, secrets.seal(address, addressPlace(id)), hint, createdAt, lastSuccessAt],
    );
  },
  list: (accountId, page) =>
    readPage(db, page, fromRow, {
      text: `select * from channel_addresses where account_id = $3 and deleted_at is null and ($1::bigint is null or seq > $1)
             order by seq limit $2`,
      values: [accountId],
    }),
  findWithSecret: (id, within) =>
    readFirst(
      db,
      (row: SecretRow) => ({ ...fromRow(row), address: secrets.open(row.address ?? "", addressPlace(row.id)) }),
      { text: `select * ${ITS}`, values: [id, within] },
    ),
  async noteSuccess(id, at) {
    await db.query("update channel_addresses set failures = 0, last_error = null, last_success_at = $2 where id = $1", [
      id,
      at,
    ]);
  },
  async remove(id, within, at) {
    if ((await readFirst(db, fromRow, { text: `select * ${ITS}`, values: [id, within] })) === null) return null;
    // Its messages first, as in recording attempts, to avoid a deadlock.
    await dropMessages(db, { of: "recipient", ids: [id], at, reason: "address_deleted" });
    return readFirst(db, fromRow, {
      text: "update channel_addresses set deleted_at = $2, address = null where id = $1 and deleted_at is null returning *",
      values: [id, at],
    });
  },
});
