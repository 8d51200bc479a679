import { useState } from 'preact/hooks';
import { baseUrl } from '../../data/base.js';
import { call } from '../../data/api.js';
import { useCall } from '../../data/load.js';
import { go, hrefOf, route } from '../../data/route.js';
import { SelectField } from '../../parts/field.js';
import { Failure, PageHead } from '../../parts/page.js';
import { ApiViewer, type ViewedDocument } from './api-viewer.js';

const documents: readonly (readonly [id: ViewedDocument, title: string])[] = [
  ['api', 'The API'],
  ['admin', 'The admin API'],
];

/** The contract and the admin API, with requests to this sandbox. */
export default function Reference() {
  const { data, error, reload } = useCall(call('GET', 'channels'));
  const [chosen, setChosen] = useState<string>();
  const id: ViewedDocument = route.value.rest[0] === 'admin' ? 'admin' : 'api';
  const title = documents.find(([one]) => one === id)![1];
  const channel = data?.channels.find(({ name }) => name === chosen) ?? data?.channels[0];
  return (
    <>
      <PageHead
        title="API reference"
        about={
          <>
            Every operation, with requests to <code>{baseUrl}</code>. The credentials of the channel are filled in.
          </>
        }
      />
      {error && <Failure reason={error} retry={reload} />}
      <div class="reference-choice">
        <SelectField
          label="Document"
          value={id}
          change={(value) => go(hrefOf(['reference', value]))}
          options={documents}
        />
        {data && channel && id === 'api' && (
          <SelectField
            label="Channel"
            value={channel.name}
            change={setChosen}
            options={data.channels.map(({ name }) => [name, name] as const)}
          />
        )}
      </div>
      <h2 class="reference-title">{title}</h2>
      {channel && <ApiViewer key={`${id} ${channel.name}`} of={id} channel={channel} />}
    </>
  );
}
