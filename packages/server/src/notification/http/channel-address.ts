import { type BodyOf, operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { personOf } from "../../access/caller/person.js";
import type { SentAttempt } from "../../platform/attempt.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type OncePorts, serveOnceOutside } from "../../platform/http/serve-once.js";
import { done, mapResult, notFound } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { ChannelAddress } from "../domain/channel-address.js";
import {
  addChannelAddress,
  type ChannelAddressPorts,
  type NewAddress,
  removeChannelAddress,
  testChannelAddress,
} from "../operations/manage-channel-addresses.js";

export type ChannelAddressRoutePorts = ChannelAddressPorts & OncePorts<unknown>;

/** Addresses of any account. */
export const channelAddressRoutes = (app: FastifyInstance, ports: ChannelAddressRoutePorts): void => {
  serveOnceOutside(app, operator.createChannelAddress, ports, ({ params, body, request }) =>
    mapResult(addChannelAddress(ports, managerOf(request), newAddress(body, params.id)), addressToWire),
  );
  serve(app, operator.listChannelAddresses, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    return listed(query, (page) => ports.stores.channelAddresses.list(params.id, page), addressToWire);
  });
  serveOnceOutside(app, operator.testChannelAddress, ports, ({ params, request }) =>
    mapResult(testChannelAddress(ports, managerOf(request), params.id), testToWire),
  );
  serve(app, operator.deleteChannelAddress, ({ params, request }) =>
    done(removeChannelAddress(ports, managerOf(request), params.id)),
  );
};

/** The same for those of the caller's own account. */
export const ownChannelAddressRoutes = (app: FastifyInstance, ports: ChannelAddressRoutePorts): void => {
  serveOnceOutside(app, participantConsole.createOwnChannelAddress, ports, ({ body, request }) => {
    const person = personOf(request);
    return mapResult(addChannelAddress(ports, person, newAddress(body, person.within)), addressToWire);
  });
  serve(app, participantConsole.listOwnChannelAddresses, ({ query, request }) =>
    listed(query, (page) => ports.stores.channelAddresses.list(personOf(request).within, page), addressToWire),
  );
  serveOnceOutside(app, participantConsole.testOwnChannelAddress, ports, ({ params, request }) =>
    mapResult(testChannelAddress(ports, personOf(request), params.id), testToWire),
  );
  serve(app, participantConsole.deleteOwnChannelAddress, ({ params, request }) =>
    done(removeChannelAddress(ports, personOf(request), params.id)),
  );
};

const newAddress = (
  { channel, name, address, form }: BodyOf<typeof operator.createChannelAddress>,
  accountId: string,
): NewAddress => ({ accountId, channel, name, address, form });

const addressToWire = (address: ChannelAddress): operator.ChannelAddress => {
  const { id, channel, name, form, hint, createdAt, lastSuccessAt, lastError } = address;
  return {
    id,
    channel,
    name,
    form,
    hint,
    created_at: formatTimestamp(createdAt),
    last_success_at: lastSuccessAt === null ? null : formatTimestamp(lastSuccessAt),
    last_error: lastError,
  };
};

const testToWire = ({ ok, status, durationMs, address, error }: SentAttempt): operator.AddressTest => ({
  ok,
  status,
  duration_ms: durationMs,
  address,
  error,
});
