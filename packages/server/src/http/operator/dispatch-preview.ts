import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { isRefusal } from "../../domain/refusal.js";
import { type PreviewPorts, previewDispatch } from "../../operations/preview-dispatch.js";
import { serve } from "../endpoint.js";
import { previewToWire } from "../wire/dispatch-preview.js";
import { newDispatchFrom } from "../wire/new-dispatch.js";

export const dispatchPreviewRoute = (app: FastifyInstance, ports: PreviewPorts): void =>
  serve(app, operator.previewDispatch, async ({ body }) => {
    const input = newDispatchFrom(body);
    if (isRefusal(input)) return input;
    const preview = await previewDispatch(ports, input);
    return isRefusal(preview) ? preview : previewToWire(preview);
  });
