//! A connection that is cut if nobody reads what is written to it, and that tells when the visitor has left.

use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

/// How often a visitor who has sent more than is read yet is looked after.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// A connection with a limit to how long a piece of an answer waits to be read.
pub struct Stream {
    inner: Arc<TcpStream>,
    write_time: Duration,
    /// When the piece at hand must be written; nothing while none waits.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Stream {
    /// A stream over a connection.
    pub fn new(inner: Arc<TcpStream>, write_time: Duration) -> Stream {
        Stream { inner, write_time, deadline: None }
    }

    /// What a write came to. A visitor who reads a byte now and then is as bad as one who reads none: the time runs
    /// until all that was given to be written is written.
    fn written(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if written.is_pending() {
            let until = Instant::now() + self.write_time;
            let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
            ready!(deadline.as_mut().poll(cx));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        written
    }

    fn try_write(
        &self,
        cx: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.inner.poll_write_ready(cx))?;
            match write(&self.inner) {
                Err(full) if full.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.inner.poll_read_ready(cx))?;
            match self.inner.try_read_buf(buffer) {
                Err(empty) if empty.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read.map(|_| ())),
            }
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.try_write(cx, |stream| stream.try_write(bytes));
        self.written(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.try_write(cx, |stream| stream.try_write_vectored(slices));
        self.written(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Asked for when all was written.
    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.deadline = None;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(socket2::SockRef::from(&*self.inner).shutdown(Shutdown::Write))
    }
}

/// Waits until the visitor has closed the connection, or their half of it: then nobody waits for a long answer.
pub async fn left(stream: &TcpStream) {
    loop {
        match stream.ready(Interest::READABLE).await {
            Ok(ready) if !ready.is_read_closed() => {}
            _ => return,
        }
        // They have sent the next request ahead. It stays unread, so that the stream stays ready.
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}
