import type { ComponentChildren } from 'preact';
import { baseUrl } from '../../data/base.js';
import { CodeBlock } from '../../parts/copy.js';
import { Card } from '../../parts/page.js';
import { Tabs } from '../../parts/tabs.js';
import { literal } from './spelling.js';

/** A line to copy, with what it does. */
export interface CodeLine {
  readonly name: string;
  readonly code: string;
  readonly about?: ComponentChildren;
}

/** What a form asks for in other words, each in a tab. */
export function CodeCard({
  tabs,
}: {
  readonly tabs: readonly (readonly [title: string, lines: readonly CodeLine[], note?: ComponentChildren])[];
}) {
  const shown = tabs.map(([title, lines, note]) => ({
    title,
    content: () => (
      <div class="code-rows">
        {lines.map(({ name, code, about }) => (
          <div key={name}>
            {about && <p>{about}</p>}
            <CodeBlock code={code} name={name} />
          </div>
        ))}
        {note}
      </div>
    ),
  }));
  return (
    <Card title="The same elsewhere" about="It follows the form.">
      <Tabs label="The same elsewhere" tabs={shown} />
    </Card>
  );
}

/** The lines of TypeScript: one for a sandbox in the process, one for this sandbox. */
export function typescript(own: string, remote: string): readonly CodeLine[] {
  return [
    { name: 'the line of TypeScript', code: own, about: 'A sandbox in the process of the test:' },
    {
      name: 'the line with the admin client',
      code: `await createAdmin(${literal(baseUrl)}).${remote};`,
      about: (
        <>
          This sandbox, with <code>createAdmin</code> of <code>teebox/admin</code>:
        </>
      ),
    },
  ];
}

/** A command as the only line of a tab. */
export function commandLine(name: string, code: string, about?: string): readonly CodeLine[] {
  return [{ name, code, ...(about && { about }) }];
}
