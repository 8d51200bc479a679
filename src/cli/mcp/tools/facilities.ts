import * as z from 'zod';
import type { AdminSchema } from '../admin-schema.js';
import type { ToolContext } from '../tool-context.js';
import { oneOf, rowLimit } from '../inputs.js';
import { defineTool, lines, readsSandbox } from '../tool.js';

const uses = [
  'linked-tee-times',
  'two-courses',
  'nine-holes',
  'unconnected',
  'several-channels',
  'closed-days',
  'closed-season',
  'extra-products',
  'cancellation-by-players',
  'payment-at-booking',
  'payment-in-parts',
  'payment-at-club',
  'fails-on-purpose',
] as const satisfies readonly AdminSchema<'FacilityUse'>[];

type FacilityRow = AdminSchema<'FacilityList'>['facilities'][number];

export const findFacilities = (context: ToolContext) =>
  defineTool({
    name: 'find_facilities',
    title: 'Find facilities for a test',
    description:
      'Facilities of the sandbox by what a test needs, with their courses, channels and country. Use it to pick a ' +
      'facility id and a course id before you call the API. A client itself finds facilities with v3.listFacilities.',
    input: {
      good_for: z.enum(uses).optional().describe('What the facility must be good for.'),
      text: z.string().max(200).optional().describe('Words of its id, name, place or country.'),
      channel: oneOf(context.channels, 'channel').optional().describe('Only facilities connected to this channel.'),
      from: z.int().min(1).optional().describe('The `next` of the page before.'),
      limit: rowLimit(10, 50),
    },
    hints: readsSandbox,
    run: async ({ good_for: goodFor, text, channel, from, limit }) => {
      const filter = { limit, ...(goodFor && { goodFor }), ...(text && { text }), ...(channel && { channel }) };
      const { facilities, next, total } = await context.admin.facilities({ ...filter, ...(from && { from }) });
      const none = 'No facility fits. Leave a criterion out.';
      return {
        text: lines(
          facilities.length === 0 && next === null ? none : facilities.map(facilityLine),
          next !== null && `For more of the ${total} facilities, call find_facilities again with from=${next}.`,
        ),
        data: { facilities, next, total },
      };
    },
  });

function facilityLine({ facilityId, name, place, country, courses, channels, goodFor, scenario }: FacilityRow): string {
  const rounds = courses
    .map(({ courseId, name: course, holes }) => `${courseId} ${course} (${holes} holes)`)
    .join(', ');
  const fails = scenario === null ? '' : `; every booking fails with ${scenario}`;
  const whom = channels.join(', ') || 'no channel';
  return `${facilityId} ${name}, ${place}, ${country}: courses ${rounds}; connected to ${whom}; good for ${goodFor.join(', ') || 'a plain booking'}${fails}`;
}
