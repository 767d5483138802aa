import { type BodyOf, operator } from "@curtail/contract";
import { chatRooms, type Room } from "@curtail/testing/chat-rooms";
import { newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
let rooms: Awaited<ReturnType<typeof chatRooms>>;

export const prepare = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  rooms = await chatRooms();
  service = await running(settings);
};

export const openRoom = (): Room => rooms.open();

type NewAddress = BodyOf<typeof operator.createChannelAddress>;

export const addRoom = (
  { accountId }: Pick<Participant, "accountId">,
  room: Pick<Room, "address">,
  body: Partial<NewAddress> = {},
) =>
  service.operator(operator.createChannelAddress, {
    params: { id: accountId },
    body: { channel: "chat", name: "Control room", address: room.address, ...body },
  });

/** An account with a room, which has its test message, and a program of its site. */
export const withRoom = async (body: Partial<NewAddress> = {}) => {
  const account = await service.newParticipant({ name: "Mills" });
  const room = openRoom();
  const { id } = (await addRoom(account, room, body)).body;
  return { account, room, addressId: id, programId: await newProgram(service, [account]) };
};

/** What was posted after the test message of its registration. */
export const noticesIn = ({ posts }: Room) => posts.slice(1);

export const states = async (dispatchId: string) => {
  const sql = "select event, state, failures from messages where subject = $1 and channel = 'chat' order by seq";
  return (await service.database.pool.query(sql, [dispatchId])).rows;
};

export const evidenceOn = async (channel: operator.Evidence["channel"], id: string) =>
  (await service.made(operator.listEvidence, { params: { id } })).items.filter((item) => item.channel === channel);

export const reachedBy = async (id: string) => {
  const { reached, reached_by, unreached } = await service.made(operator.getDispatchAttention, { params: { id } });
  return { reached, chat: reached_by.chat, unreached: unreached.length };
};
