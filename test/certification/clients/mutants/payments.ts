import { breaking, type ClientMutant } from './mutant.js';

const exams = ['happy-day'];

export const paymentMutants: readonly ClientMutant[] = [
  ...breaking('payments.own', [
    {
      name: 'pays-for-others',
      does: 'With each payment, it confirms that of a booking of which no answer has told it.',
      exams,
      plant({ partner: { payments } }) {
        const pay = payments.payOne.bind(payments);
        payments.payOne = async (id, version) => {
          await pay(id, version);
          await pay('TBX-1001-1-OTHERS', 'v4').catch(() => {});
        };
      },
    },
  ]),
  ...breaking('payments.identifier', [
    {
      name: 'pays-group-as-booking',
      does: 'It confirms the payment of a group at the path for single bookings.',
      exams,
      plant({ partner: { payments } }) {
        payments.payGroup = async ({ id }) => {
          await payments.payOne(String(id), 'v4').catch(() => {});
          return true;
        };
      },
    },
    {
      name: 'pays-by-tee-time',
      does: 'It confirms the payment of a tee time, and not of its booking.',
      exams,
      plant({ partner: { payments, bookings } }) {
        let teeId = '';
        const send = bookings.send.bind(bookings);
        bookings.send = (way, wishes) => {
          teeId = String(wishes[0]!.offer.teeId);
          return send(way, wishes);
        };
        const pay = payments.payOne.bind(payments);
        payments.payOne = () => pay(teeId, 'v4').catch(() => {});
      },
    },
  ]),
];
