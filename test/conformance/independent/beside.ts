import type { Change } from './run.js';
import { Service } from './service.js';

const textOf = async (response: Response): Promise<string> =>
  [response.status, ...response.headers, await response.clone().text()].join('\n');

/**
 * Sends every request to an unbroken deployment as well, which has seen the same requests before. It notes the ids of the
 * exchanges that are answered in another way.
 */
export const beside =
  (differing: Set<string>): Change =>
  (service) => {
    const right = new Service({ ...service.around, post: async () => 200 });
    const handle = service.handle.bind(service);
    let sent = 0;
    service.handle = async (request) => {
      const id = `x${(sent += 1)}`;
      const same = request.clone();
      const answer = await handle(request).catch((error: unknown) => {
        differing.add(id);
        throw error;
      });
      if ((await textOf(answer)) !== (await textOf(await right.handle(same)))) differing.add(id);
      return answer;
    };
  };
