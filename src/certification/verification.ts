import type { Certification } from './certification.js';

/** How a repetition of a certification differs from it. */
export interface Verification {
  readonly isSame: boolean;
  readonly message: string;
  /** What differs, one sentence each. */
  readonly differences: readonly string[];
}

/** Compares a certificate with what another run of the same exams gave. */
export function compareCertifications(certificate: Certification, again: Certification): Verification {
  const isSame = certificate.digest === again.digest;
  const differences = isSame ? [] : differencesOf(certificate, again);
  const message = isSame
    ? `The certificate is confirmed: another run has the same digest ${again.digest.slice(0, 16)}.`
    : `The certificate is not confirmed: its digest is ${certificate.digest.slice(0, 16)}, that of another run ${again.digest.slice(0, 16)}.`;
  return { isSame, message, differences };
}

function differencesOf(before: Certification, after: Certification): string[] {
  const found = [
    ...changed('Teebox', before.teebox, after.teebox),
    ...changed('The seed', String(before.seed), String(after.seed)),
    ...changed('The world file', before.world ?? 'none', after.world ?? 'none'),
    ...changed('The start of the clock', before.now, after.now),
    ...changed('The dialect', JSON.stringify(before.dialect.answers), JSON.stringify(after.dialect.answers)),
    ...changed('The list of versions used', before.versions.join(', '), after.versions.join(', ')),
    ...between('Exam', before.exams, after.exams),
    ...between('Obligation', before.obligations, after.obligations),
    ...examResults(before, after),
  ];
  return found.length > 0
    ? found
    : ['No verdict differs: the certificate was changed after it was written, or by another version.'];
}

function changed(what: string, before: string, after: string): string[] {
  return before === after ? [] : [`${what} was ${before}; now it is ${after}.`];
}

interface Compared {
  readonly id: string;
  readonly verdict: string;
}

function between(what: string, before: readonly Compared[], after: readonly Compared[]): string[] {
  const now = new Map(after.map((one) => [one.id, one.verdict]));
  const then = new Map(before.map((one) => [one.id, one.verdict]));
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((id) =>
    changed(`${what} ${id}`, then.get(id) ?? 'absent', now.get(id) ?? 'absent'),
  );
}

/** Verdicts that differ in one exam though they are the same over all. */
function examResults(before: Certification, after: Certification): string[] {
  const flat = ({ exams }: Certification): Compared[] =>
    exams.flatMap(({ id, results }) => results.map((one) => ({ id: `${one.id} in ${id}`, verdict: one.verdict })));
  const overall = (one: Certification, id: string) => one.obligations.find((other) => other.id === id)?.verdict;
  const same = ({ id }: Compared): boolean => {
    const [obligation = id] = id.split(' in ');
    return overall(before, obligation) === overall(after, obligation);
  };
  return between('Obligation', flat(before).filter(same), flat(after).filter(same));
}
