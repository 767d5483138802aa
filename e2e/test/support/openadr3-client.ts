import { operator } from "@curtail/contract";
import { operate } from "./participant.js";

/** A client of OpenADR 3.1: business logic, or a VEN. */
export interface Openadr3Client {
  /** Throws unless it succeeds. */
  call<T>(method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<T>;
  /** The same client at another process of the service. */
  at(url: string): Promise<Openadr3Client>;
}

/** Creates business logic. */
export const newBusinessLogic = async (url: string): Promise<Openadr3Client> =>
  clientAt(url, await operate(url, operator.createBusinessLogic, { body: { name: "Prices" } }));

/** Creates a VEN of the account. */
export const newOpenadr3Ven = async (url: string, accountId: string): Promise<Openadr3Client> =>
  clientAt(
    url,
    await operate(url, operator.createOpenadrClient, { params: { id: accountId }, body: { name: "Gateway" } }),
  );

const clientAt = async (url: string, created: operator.NewOpenadr3Client): Promise<Openadr3Client> => {
  const { openadr3_url: vtn } = await operate(url, operator.getAddresses);
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: created.id,
    client_secret: created.client_secret ?? "",
  });
  const { access_token: token } = await answered<{ access_token: string }>(`${vtn}/auth/token`, {
    method: "POST",
    body: form,
  });
  return {
    call: (method, path, body) =>
      answered(`${vtn}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    at: (other) => clientAt(other, created),
  };
};

const answered = async <T>(url: string, options: RequestInit): Promise<T> => {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
};
