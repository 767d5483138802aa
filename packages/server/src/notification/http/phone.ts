import { operator, participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { personOf } from "../../access/caller/person.js";
import { serve } from "../../platform/http/endpoint.js";
import { type OncePorts, serveOnceOutside } from "../../platform/http/serve-once.js";
import { mapResult } from "../../platform/refusal.js";
import type { PhoneHandover } from "../domain/phone-message.js";
import type { PhoneGateway } from "../operations/send-phone-messages.js";
import { type TestContactPorts, testContact } from "../operations/test-contact.js";

export type PhoneRoutePorts = TestContactPorts & OncePorts<unknown>;

/** Test messages to contacts of any account. */
export const phoneRoutes = (app: FastifyInstance, ports: PhoneRoutePorts): void => {
  serve(app, operator.getPhoneChannels, async () => channelsToWire(ports.gateway));
  serveOnceOutside(app, operator.testContact, ports, ({ params: { id }, body: { channel }, request }) =>
    mapResult(testContact(ports, managerOf(request), { id, channel }), testToWire),
  );
};

/** The same for contacts of the caller's own account. */
export const ownPhoneRoutes = (app: FastifyInstance, ports: PhoneRoutePorts): void => {
  serve(app, participantConsole.getOwnPhoneChannels, async () => channelsToWire(ports.gateway));
  serveOnceOutside(app, participantConsole.testOwnContact, ports, ({ params: { id }, body: { channel }, request }) =>
    mapResult(testContact(ports, personOf(request), { id, channel }), testToWire),
  );
};

const channelsToWire = ({ channels }: PhoneGateway): operator.PhoneChannels => ({
  sms: channels.includes("sms"),
  voice: channels.includes("voice"),
});

const testToWire = (sent: PhoneHandover): operator.PhoneTest =>
  sent.ok ? { ok: true, gateway_id: sent.gatewayId, error: null } : { ok: false, gateway_id: null, error: sent.error };
