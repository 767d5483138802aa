import { callOperator } from "../../api/call.js";

/** Sends a delivery to a webhook once more. */
export const resend = (id: string) => callOperator("POST", "/deliveries/{id}/resend", { params: { id } });
