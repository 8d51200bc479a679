import { expect, test } from 'vitest';
import { deploy, type Layer, resultOf } from '../deployment.js';
import { everything } from '../full-run.js';

/** A body with each object that has a field replaced. */
const mapped = (json: unknown, field: string, change: (object: any) => object): unknown =>
  JSON.parse(JSON.stringify(json), (_, value) => (value && Object.hasOwn(value, field) ? change(value) : value));

/** A deployment with prices in dinars, which have three decimals: a tenth of each amount of the sandbox. */
const inDinars: Layer = async (request, through) => {
  const { method, url } = request;
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  const tenfold = ({ netRate, ...rest }: any) => {
    const amount = Number((Number(netRate) * 10).toFixed(2));
    return { ...rest, netRate: typeof netRate === 'string' ? String(amount) : amount };
  };
  const body = method === 'GET' ? {} : { body: JSON.stringify(mapped(await request.json(), 'netRate', tenfold)) };
  const response = await through(new Request(url, { method, headers, ...body }));
  const tenth = ({ amount }: any) => ({ amount: Number((amount / 10).toFixed(3)), currency: 'TND' });
  return Response.json(mapped(await response.json(), 'amount', tenth), response);
};

test('a net rate is booked with all decimals of its currency, as a number and as text', async () => {
  const { sandbox, check } = await deploy({ dialect: { answers: { 'booking.net-rate-check': 'checked' } } }, inDinars);
  const only = ['bookings.request.netRate.*'];
  const report = await check({ ...everything(sandbox), depth: 'quick', only });
  const observed = report.dialect.answers;
  expect(observed).toMatchObject({ 'booking.net-rate-form': 'either', 'booking.net-rate-check': 'checked' });
  for (const id of ['form', 'check'])
    expect(resultOf(report, `bookings.request.netRate.${id}`).verdict).toBe('observed');
});
