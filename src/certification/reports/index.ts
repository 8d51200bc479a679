import { type Exchange, harText, type ReportFormat } from '../../conformance/index.js';
import { visibleJson } from '../../common/index.js';
import type { Certification } from '../certification.js';
import { certifyHtml } from './html.js';
import { certifyJunit } from './junit.js';
import { certifyMarkdown } from './markdown.js';
import { certifySarif } from './sarif.js';

/** Formats a finished certification as one text; `traffic` is all that the client sent and got. */
type CertifyReporter = (certification: Certification, traffic: Iterable<Exchange>) => string;

/** The formats of `certify --report FORMAT=FILE`: those of `check`. */
export const certifyReporters: Readonly<Record<ReportFormat, CertifyReporter>> = {
  json: (certification) => `${visibleJson(certification, 2)}\n`,
  junit: certifyJunit,
  html: certifyHtml,
  sarif: certifySarif,
  markdown: certifyMarkdown,
  har: ({ teebox, verdict, digest }, traffic) => harText(traffic, teebox, { _verdict: verdict, _digest: digest }),
};
