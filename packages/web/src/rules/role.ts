import type { operator } from "@curtail/contract";

type WithRole = Pick<operator.User, "role">;

/** Whether a user is on the operators' side. */
export const isOperator = ({ role }: WithRole): boolean => !isOfParticipant(role);
export const isOfParticipant = (role: WithRole["role"]): boolean => role.startsWith("participant-");

/** Whether the role may change anything. Pages do not offer what a role may not do. */
export const mayWrite = ({ role }: WithRole): boolean => role !== "auditor" && role !== "participant-viewer";
export const mayWriteUsers = ({ role }: WithRole): boolean => role === "operator-admin" || role === "participant-admin";
export const isOperatorAdmin = ({ role }: WithRole): boolean => role === "operator-admin";

/** First page of a user. */
export const homeOf = (user: WithRole) => (isOperator(user) ? "/operations" : "/dashboard");
