import { html, htmlPage, Markup, prose, secondsText, section } from '../../conformance/index.js';
import type { Certification, CertifiedObligation, ObligationVerdict } from '../certification.js';
import { CERTIFICATE_STYLE } from './certificate-style.js';
import { bannerOf, durationOf } from './findings.js';
import { topicOf } from './obligation-parts.js';

/** A tick, a cross, or a dash, in the middle of a seal. */
const signs: Readonly<Record<Certification['verdict'], string>> = {
  ready: 'M33 49l11 11 23-24',
  'not-ready': 'M37 37l26 26M63 37l-26 26',
  'too-little-seen': 'M34 50h32',
};

/** The certificate as one page to keep, to send or to print. It runs no script and loads nothing. */
export function certificateHtml(certification: Certification): string {
  const { client, digest } = certification;
  return htmlPage({
    title: `Certificate: ${client?.name ?? client?.command ?? 'a client'}, ${bannerOf(certification).toLowerCase()}`,
    style: CERTIFICATE_STYLE,
    header: head(certification),
    main: html`${facts(certification)} ${exams(certification)} ${obligations(certification)} ${verification(digest)}`,
    footer: html`<p>
      Issued by Teebox, a sandbox of a golf tee time distribution API. It says what Teebox saw in the exams above, and
      no more. It is no certificate of the operator of the service.
    </p>`,
  });
}

function head(certification: Certification): Markup {
  const { verdict, exitCode, message, client, counts, at, obligations: all } = certification;
  const figures: readonly (readonly [string, string | number])[] = [
    ['met', `${counts.pass} of ${all.length}`],
    ['broken', counts.fail],
    ['not seen', counts['not-seen']],
    ['exams', certification.exams.length],
  ];
  return html`<header class="${exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure'}">
    <p class="kind">Certificate</p>
    <h1>${client?.name ?? 'A client of the tee time service'}</h1>
    <p class="client">${client?.command === undefined ? '' : html`<code>${client.command}</code>`}</p>
    ${seal(verdict)}
    <p class="verdict">${bannerOf(certification)}</p>
    <p class="lead">${message}</p>
    <p class="client">${longDate(at)}</p>
    <ul class="figures">
      ${figures.map(([what, figure]) => html`<li><b>${figure}</b> ${what}</li>`)}
    </ul>
  </header>`;
}

function seal(verdict: Certification['verdict']): Markup {
  const teeth = Array.from({ length: 24 }, (_, index) => {
    const angle = (index * Math.PI) / 12;
    return `${(50 + 46 * Math.cos(angle)).toFixed(1)},${(50 + 46 * Math.sin(angle)).toFixed(1)}`;
  });
  return new Markup(
    `<svg class="seal" viewBox="0 0 100 100" fill="none" stroke="currentColor" aria-hidden="true">` +
      `<polygon points="${teeth.join(' ')}" stroke-width="3" stroke-linejoin="round"/>` +
      `<circle cx="50" cy="50" r="36" stroke-width="2"/>` +
      `<path d="${signs[verdict]}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  );
}

function longDate(at: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));
  return `${day}, ${at.slice(11, 16)} UTC`;
}

/** What another run needs in order to give the same. */
function facts(certification: Certification): Markup {
  const { teebox, seed, facilities, now, dialect, versions, digest } = certification;
  const given = Object.entries(dialect.answers).map(([question, answer]) => `${question}: ${JSON.stringify(answer)}`);
  const rows: readonly (readonly [string, string])[] = [
    ['Teebox', teebox],
    ['Versions used', versions.length === 0 ? 'none' : versions.join(', ')],
    ['Dialect', given.length === 0 ? 'default' : `${dialect.name ?? 'card'} (${given.join('; ')})`],
    ['Seed', `${seed}, with ${facilities} facilities`],
    ['Clock', `begins at ${now}`],
    ['Duration', secondsText(durationOf(certification))],
    ['Digest', digest],
  ];
  return section('Facts', undefined, [
    html`<dl>
      ${rows.map(
        ([label, text]) =>
          html`<dt>${label}</dt>
            <dd>${label === 'Digest' ? html`<code>${text}</code>` : text}</dd>`,
      )}
    </dl>`,
  ]);
}

const marks: Readonly<Record<ObligationVerdict, string>> = { pass: 'met', fail: 'broken', 'not-seen': 'not seen' };

function row(verdict: ObligationVerdict, word: string, text: Markup): Markup {
  return html`<li>
    <span class="mark ${verdict}">${word}</span>
    <span>${text}</span>
  </li>`;
}

function exams({ exams: taken, skipped }: Certification): Markup {
  const words: Readonly<Record<ObligationVerdict, string>> = { pass: 'passed', fail: 'failed', 'not-seen': 'not seen' };
  const rows = taken.map(({ title, does, verdict, client: { ok } }) => {
    const own = ok !== false ? '' : " The client's own tests failed.";
    return row(verdict, words[verdict], html`${title}<small>${does}${own}</small>`);
  });
  const left = skipped.map(({ id, why }) => row('not-seen', 'not taken', html`${id}<small>${why}</small>`));
  return section('Exams', taken.length, [
    html`<ul class="rows">
      ${rows} ${left}
    </ul>`,
  ]);
}

function obligations({ obligations: all }: Certification): Markup {
  const topics = [...new Set(all.map(topicOf))];
  const parts = topics.map(
    (topic) =>
      html`<h3>${topic[0]!.toUpperCase()}${topic.slice(1)}</h3>
        <ul class="rows">
          ${all.filter((one) => topicOf(one) === topic).map(obligationRow)}
        </ul>`,
  );
  return section('Obligations', all.length, parts);
}

function obligationRow(result: CertifiedObligation): Markup {
  const { id, verdict, statement, message, toSee, known } = result;
  const said = verdict === 'fail' ? message : toSee;
  return row(
    verdict,
    known ? `${marks[verdict]}, known` : marks[verdict],
    html`${prose(statement)}<small><code>${id}</code>${said === undefined ? '' : html`: ${prose(said)}`}</small>`,
  );
}

function verification(digest: string): Markup {
  return section('Verification', undefined, [
    html`<p>Run the exams again, with the same seed, exams and dialect, and compare:</p>
      <p class="command"><code>npx teebox certify --verify CERTIFICATE.json -- COMMAND</code></p>
      <p>The certificate is confirmed if the digest is again <code>${digest.slice(0, 16)}...</code></p>`,
  ]);
}
