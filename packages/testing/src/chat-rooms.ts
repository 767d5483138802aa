import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./at-end.js";
import { ownPath } from "./own-path.js";

/** A chat service on a real socket. */
export interface ChatRooms {
  /** A room of its own, that no other test posts to. */
  readonly open: () => Room;
}

export interface Room {
  /** Of its incoming webhook. */
  readonly address: string;
  /** Bodies of what was posted, in their order. */
  readonly posts: readonly Post[];
  /** Status of the answers from now on; a function may answer itself. */
  answer: number | ((response: ServerResponse) => void);
}

/** As Slack reads it, or as Teams does. */
export interface Post {
  readonly text?: string;
  readonly attachments?: readonly unknown[];
}

/** Closed after the test file. */
export const chatRooms = async (): Promise<ChatRooms> => {
  const { self, server } = await started();
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return self;
};

/** For modules that several test files of a worker share: ends with the worker, without keeping it alive. */
export const lastingChatRooms = async (): Promise<ChatRooms> => {
  const { self, server } = await started();
  server.unref().on("connection", (socket) => socket.unref());
  return self;
};

const started = async (): Promise<{ self: ChatRooms; server: Server }> => {
  const rooms = new Map<string, Room & { readonly posts: Post[] }>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const room = rooms.get(request.url ?? "");
    if (room === undefined) return void response.writeHead(404).end("no_service");
    let text = "";
    for await (const chunk of request) text += String(chunk);
    room.posts.push(JSON.parse(text) as Post);
    if (typeof room.answer === "function") room.answer(response);
    else response.writeHead(room.answer).end("ok");
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = (): Room => {
    const path = `${ownPath()}/services/${rooms.size}`;
    const room = { address: `${base}${path}`, posts: [], answer: 200 };
    rooms.set(path, room);
    return room;
  };
  return { self: { open }, server };
};
