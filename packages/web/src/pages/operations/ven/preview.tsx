import { say } from "@curtail/words/page";
import { useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import { laidOut } from "../../../format/xml.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Answered } from "../../../ui/state.js";

/** The message that the VEN would receive now. Viewing it sends nothing to the VEN. */
export const Preview = ({ id }: { readonly id: string }) => {
  const [open, setOpen] = useState(false);
  return (
    <Card
      title={say("Preview of its next message")}
      actions={
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? say("Hide", {}, "verb") : say("Show", {}, "verb")}
        </Button>
      }
    >
      {open ? (
        <Message id={id} />
      ) : (
        <p className="text-muted">{say("The oadrDistributeEvent that the VEN would receive now.")}</p>
      )}
    </Card>
  );
};

const Message = ({ id }: { readonly id: string }) => (
  <Answered of={useOperator("/vens/{id}/preview", { params: { id } })}>
    {({ xml }) => (
      <pre
        className="max-h-[32rem] overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs leading-5"
        // Focusable, so that the keyboard can scroll it.
        tabIndex={0}
        role="region"
        aria-label={say("Message")}
      >
        {laidOut(xml)}
      </pre>
    )}
  </Answered>
);
