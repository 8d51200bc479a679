import { altering, type Layer } from '../../deployment.js';
import { reading } from './requests.js';

/** The price list. */
export const path = /\/price\/insideDateRange$/;

/** Reads the query of a price request otherwise than it was sent. */
export const query = (change: (query: URLSearchParams) => void): Layer => reading(path, change);

/** Alters each price record. */
export const records = (alter: (record: any, index: number) => void): Layer =>
  altering(path, ({ data }) => data.records.forEach(alter));

/** Alters the records of an answer, and its total with them. */
export const cut = (change: (records: any[], query: URLSearchParams) => any[]): Layer => {
  return async (request, through) =>
    altering(path, ({ data }) => {
      const changed = change(data.records, new URL(request.url).searchParams);
      data.total += changed.length - data.records.length;
      data.records = changed;
    })(request, through);
};
