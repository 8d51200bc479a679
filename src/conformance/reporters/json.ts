import { visibleJson } from '../../evidence/visible.js';
import type { Exchange } from '../client/exchange.js';
import type { FileReporter } from './reporter.js';
import { MOST_BODY, shownExchanges } from './shown-exchanges.js';

/** The complete report as JSON, for other programs, with the exchanges that its findings rest on. */
export const jsonReporter: FileReporter = (run) =>
  `${visibleJson({ ...run.report, exchanges: shownExchanges(run).map(cut) }, 2)}\n`;

/** An exchange with the beginning of its bodies. The HAR report has more of them. */
function cut(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const asked = request.body === undefined ? {} : { body: request.body.slice(0, MOST_BODY) };
  return {
    ...exchange,
    request: { ...request, ...asked },
    ...(response ? { response: { ...response, body: response.body.slice(0, MOST_BODY) } } : {}),
  };
}
