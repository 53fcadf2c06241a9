//! A TCP stream with a write timeout, and detection of client disconnects.

use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

/// How often to poll for a disconnect while unread input is pending.
const POLL: Duration = Duration::from_millis(200);

/// A connection with a write timeout.
pub struct Stream {
    inner: Arc<TcpStream>,
    write_time: Duration,
    /// The deadline of the pending write, if any.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Stream {
    /// Wraps a connection.
    pub fn new(inner: Arc<TcpStream>, write_time: Duration) -> Stream {
        Stream { inner, write_time, deadline: None }
    }

    /// Applies the write timeout. The clock runs until everything is written, so a client that reads one byte at a time
    /// cannot hold the connection.
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

    /// Called when everything is written.
    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.deadline = None;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(socket2::SockRef::from(&*self.inner).shutdown(Shutdown::Write))
    }
}

/// Waits until the client closes the connection or its sending side. A client that does so does not wait for a long answer.
pub async fn disconnected(stream: &TcpStream) {
    loop {
        match stream.ready(Interest::READABLE).await {
            Ok(ready) if !ready.is_read_closed() => {}
            _ => return,
        }
        // The client pipelined its next request. It stays unread, so the stream stays ready: poll.
        tokio::time::sleep(POLL).await;
    }
}
