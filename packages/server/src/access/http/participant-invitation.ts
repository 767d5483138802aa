import { auth } from "@curtail/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError, refused } from "../../platform/http/error-replies.js";
import { page, privateHeaders, wantsHtml } from "../../platform/http/one-time-page.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS, type User } from "../domain/user.js";
import { acceptFirstInvitation, acceptInvitation } from "../operations/invite-users.js";
import type { NoteRefused } from "../operations/note-refused.js";
import type { UserPorts } from "../operations/sign-in-ports.js";

interface InvitationRoute {
  Params: { token: string };
}

/** A form behind a one-time link. */
interface Form<B> {
  readonly path: string;
  readonly schema: object;
  readonly fields: string;
  readonly accept: (token: string, body: B) => Promise<Result<User>>;
  readonly noteRefused: NoteRefused;
}

/** One-time links that set a password. As with keys, the first page reveals nothing about the link. */
export const invitationRoutes = (
  app: FastifyInstance,
  ports: UserPorts & { readonly noteRefused: NoteRefused },
): void => {
  serveForm<auth.AcceptInvitation>(app, {
    noteRefused: ports.noteRefused,
    path: "/invitation/:token",
    schema: auth.AcceptInvitation,
    fields: passwordField,
    accept: (token, { password }) => acceptInvitation(ports, token, password),
  });
  serveForm<auth.AcceptFirstInvitation>(app, {
    noteRefused: ports.noteRefused,
    path: "/first-user/:token",
    schema: auth.AcceptFirstInvitation,
    fields: personFields + passwordField,
    accept: (token, body) => acceptFirstInvitation(ports, token, body),
  });
};

const serveForm = <B>(app: FastifyInstance, { path, schema, fields, accept, noteRefused }: Form<B>): void => {
  const form = `<form method="post">${fields}<button>Set the password</button></form>`;
  app.get(path, async (_request, reply) => page(reply, { status: 200, title, body: form }));

  app.post<InvitationRoute>(path, { schema: { body: schema }, attachValidation: true }, async (request, reply) => {
    // Set before anything can fail: errors must not be cached either.
    reply.headers(privateHeaders);
    const accepted = await checked(request, () => accept(request.params.token, request.body as B));
    if (accepted instanceof HttpError) {
      if (accepted.status === 404) noteRefused({ kind: "invitation", address: request.ip, userId: null });
      return refuse(request, reply, { error: accepted, form });
    }
    if (!wantsHtml(request)) return reply.send({ email: accepted.email });
    return page(reply, {
      status: 200,
      title,
      body: '<p>Password set. You can now <a href="/sign-in">sign in</a>.</p>',
    });
  });
};

const checked = async (
  { validationError }: Pick<FastifyRequest, "validationError">,
  accept: () => Promise<Result<User>>,
): Promise<User | HttpError> => {
  if (validationError !== undefined) return validationError instanceof HttpError ? validationError : unread;
  const accepted = await accept();
  if (!isRefusal(accepted)) return accepted;
  return accepted.code === "not_found" ? new HttpError(404, gone) : refused(accepted);
};

interface Refused {
  readonly error: HttpError;
  readonly form: string;
}

const refuse = (request: FastifyRequest, reply: FastifyReply, { error, form }: Refused) => {
  if (!wantsHtml(request)) throw error;
  const message = `<p role="alert">${escaped(error.message)}</p>`;
  return page(reply, { status: error.status, title, body: error.status === 400 ? message + form : message });
};

const unread = new HttpError(400, "the request could not be read");

/** A message may quote what was sent. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const title = "Welcome to Curtail";

const gone = "This link is not valid: it has been used or has expired. Ask the person who sent it for a new one.";

const personFields = `<label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Name <input name="name" autocomplete="name" required></label>`;

const passwordField = `<label>Password, at least ${MIN_PASSWORD_CHARACTERS} characters
<input name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_CHARACTERS}"
maxlength="${MAX_PASSWORD_CHARACTERS}" required></label>`;
