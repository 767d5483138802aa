import { say } from "@curtail/words/page";
import { useState } from "react";
import { ApiError, callConsole, isNotConnected } from "../../../api/call.js";
import { refusalWords } from "../../../api/refusal-words.js";
import { useFormChange } from "../../../api/use-change.js";
import { customExample, parsedScenario } from "../../../rules/scenario-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { FieldError, type MemberFault } from "../../../ui/fault.js";
import { TextArea } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";

const MEMBER = "scenario";

/** A fault of the text; an unknown one in the words of the interface: people who edit JSON look for its members. */
class TextFault extends FieldError {
  get faults(): readonly MemberFault[] {
    return [{ member: MEMBER, words: this.message, alone: this.message }];
  }
}

const send = async (text: string) => {
  const parsed = parsedScenario(text);
  if ("fault" in parsed) throw new TextFault(parsed.fault);
  try {
    return await callConsole("POST", "/scenarios", { body: parsed.request });
  } catch (error) {
    throw error instanceof ApiError && !isNotConnected(error) ? new TextFault(refusalWords(error.message)) : error;
  }
};

/** Edits a scenario as JSON and starts it. What was typed is kept while the page is open. */
export const CustomScenario = () => {
  const [kept, keep] = useState<string | null>(null);
  return (
    <DialogButton label={say("Custom scenario")}>
      {(close) => <Editor kept={kept} onType={keep} onClose={close} />}
    </DialogButton>
  );
};

const Editor = ({
  kept,
  onType,
  onClose,
}: {
  readonly kept: string | null;
  readonly onType: (text: string) => void;
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState(() => kept ?? customExample(Date.now()));
  const type = (typed: string) => {
    setText(typed);
    onType(typed);
  };
  const start = useFormChange(send, { done: say("The scenario was started."), after: onClose });
  return (
    <Form onSend={() => start.run(text)} error={start.error}>
      <p className="text-muted">
        {say(
          "The states of each dispatch, and when each is published. The times of the example count from now; a speed of 120 makes an hour pass in 30 seconds. The same JSON may be sent with POST /scenarios.",
        )}
      </p>
      <TextArea
        label={say("Scenario as JSON")}
        name={MEMBER}
        rows={16}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        value={text}
        onChange={({ target }) => type(target.value)}
      />
      <Actions>
        <Button type="submit" look="primary" busy={start.isPending && say("Starting…")}>
          {say("Start")}
        </Button>
        <Button onClick={() => type(customExample(Date.now()))}>{say("New example")}</Button>
        <Button onClick={onClose}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};
